# An image of the mock service, built from the sources:
#   docker build --tag rapport-mock .
#   docker run --rm --publish 127.0.0.1:4817:4817 rapport-mock
# The control API and the inspector need a token here, because the server listens on all addresses of the container:
#   docker run --rm --publish 127.0.0.1:4817:4817 rapport-mock --control-token "$TOKEN"
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
EXPOSE 4817
HEALTHCHECK CMD ["node", "-e", "fetch('http://127.0.0.1:4817').catch(() => process.exit(1))"]
ENTRYPOINT ["rapport-mock", "--host", "0.0.0.0"]
