const scenario = require('./scenario.cjs')

/** A worker that runs the scenario within a request, whose body says where the server is. */
module.exports = (entries) => ({
  async fetch(request) {
    try {
      return Response.json(await scenario(entries, await request.json()))
    } catch (error) {
      return new Response(error.stack, { status: 500 })
    }
  },
})
