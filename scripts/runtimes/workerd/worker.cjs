const scenario = require('./scenario.cjs')

/** Returns a worker that runs the scenario for each request. The body of the request is the connection to the mock server. */
module.exports = (entries) => ({
  async fetch(request) {
    try {
      return Response.json(await scenario(entries, await request.json()))
    } catch (error) {
      return new Response(error.stack, { status: 500 })
    }
  },
})
