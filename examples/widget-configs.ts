// How an application's data look on profiles: the available layouts, a config from draft to published, and who sees it.
import assert from 'node:assert/strict'
import { Client, isLayoutDefinition, isPermissionError, type WidgetSurfaceInput } from 'rapport-sdk'
import { createMockService } from 'rapport-sdk/mocks'

const service = createMockService()
const studio = service.users.create({ login: 'studio@example.com', username: 'studio' })
const ada = service.users.create({ login: 'ada@example.com', username: 'ada' })
const assets = [{ id: 'bridge', name: 'A bridge' }]
const game = service.applications.create({ owner: studio, name: 'Bridge Builder', featured: true, assets })
const developer = new Client({ baseUrl: service.baseUrl, fetch: service.fetch, token: service.token(studio) })
const visitor = developer.as(service.token(ada))

// The API document does not show the structure of this response, so narrow each value before you use it.
const definitions = Object.values(await developer.widgetConfigs.layoutDefinitions()).filter(isLayoutDefinition)
const tops = definitions.filter(({ surface }) => surface === 'widget_top')
assert.equal(tops.length, 2)
console.log(`Layouts for the top: ${tops.map(({ display_name }) => display_name).join(', ')}`)

const surfaces = {
  widget_top: {
    layout: 'widget_top_hero',
    components: {
      header: {
        fields: {
          image: { value_type: 'application_asset', presentation_type: 'image', value: 'bridge' },
          rank: {
            value_type: 'data',
            presentation_type: 'text',
            value: 'primary.rank_name',
            fallback: { value_type: 'custom_string', presentation_type: 'text', value: 'Unranked' },
          },
        },
      },
    },
  } satisfies WidgetSurfaceInput,
}
const draft = await developer.widgetConfigs.create(game.id, { display_name: 'Season 4', surfaces })
assert.equal(draft.status, 'draft')
console.log(`Created "${draft.display_name}": ${draft.status}, ${draft.resolved_assets?.length} asset`)

const { config_id } = draft
await developer.widgetConfigs.update(game.id, config_id, { display_name: 'Season 4, final', surfaces })
assert.deepEqual(await visitor.widgetConfigs.list(game.id), [])
console.log('Others cannot see a draft')

const published = await developer.widgetConfigs.publish(game.id, config_id)
assert.equal(published.status, 'published')
const featured = await visitor.widgetConfigs.featured()
assert.deepEqual(featured.application_ids, [game.id])
for (const { display_name, status } of featured.configs[game.id] ?? [])
  console.log(`Featured: ${display_name}, ${status}`)

const refused: unknown = await visitor.widgetConfigs.unpublish(game.id, config_id).catch((error: unknown) => error)
assert(isPermissionError(refused))
console.log(`A visitor cannot change it: ${refused.serviceMessage}`)

const unpublished = await developer.widgetConfigs.unpublish(game.id, config_id)
console.log(`Unpublished: ${unpublished.status}`)
const { configs } = await developer.widgetConfigs.developer()
assert.equal(configs[game.id]?.length, 1)
await developer.widgetConfigs.delete(game.id, config_id)
assert.deepEqual(await developer.widgetConfigs.list(game.id), [])
console.log('Deleted')
