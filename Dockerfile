# An image of the mock service, built from the sources. Its options are environment variables or arguments:
#   docker build --tag rapport-mock .
#   docker run --rm --publish 127.0.0.1:4817:4817 rapport-mock
# The control API and the inspector need a token here, because the server listens on all addresses of the container:
#   RAPPORT_MOCK_CONTROL_TOKEN=… docker run --rm --publish 127.0.0.1:4817:4817 --env RAPPORT_MOCK_CONTROL_TOKEN rapport-mock
# Initial data from a file:
#   docker run --rm --publish 127.0.0.1:4817:4817 --volume "$PWD:/data:ro" rapport-mock --seed /data/seed.json --watch

FROM node:22-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && mkdir /package && npm pack --ignore-scripts --pack-destination /package

FROM node:22-slim
COPY --from=build /package /package
RUN npm install --global /package/*.tgz && rm -r /package ~/.npm
USER node
ENV RAPPORT_MOCK_HOST=0.0.0.0
EXPOSE 4817
# Asks process 1, the mock, wherever its arguments and environment let it listen.
HEALTHCHECK --interval=5s --timeout=5s CMD ["rapport-mock", "--check", "1"]
ENTRYPOINT ["rapport-mock"]
