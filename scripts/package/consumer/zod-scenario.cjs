const assert = require('node:assert/strict')

/** Uses the schemas together with those of the app, which has one copy of zod. */
module.exports = function zodScenario({ schemas, z }) {
  const friends = z.array(schemas.RelationshipSchema)
  assert.equal(friends.safeParse([{ id: 1 }]).success, false)
  assert.deepEqual(friends.safeParse([{ id: 1 }]).error.issues[0].path, [0, 'id'])
  assert.ok(schemas.LoginParamsSchema instanceof z.ZodObject)
  const form = schemas.LoginParamsSchema.extend({ accepted: z.boolean() })
  const login = { login: 'ada@example.com', password: 'correct horse', accepted: true }
  assert.deepEqual(form.parse(login), login)
}
