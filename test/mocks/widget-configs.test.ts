import { describe, expect, it } from 'vitest'
import { baseUrl, problems, sender, setUp, start } from './calls'

interface Config {
  config_id: string
  status: string
}
const field = (value_type: string, value: string, fallback?: object) => ({
  value_type,
  presentation_type: 'image',
  value,
  ...(fallback && { fallback }),
})
const surfaces = {
  widget_top: {
    layout: 'widget_top_hero',
    components: { hero: { fields: { image: field('data', 'avatar', field('application_asset', 'asset-1')) } } },
  },
}

function withApplication() {
  const { service, ada, grace, as, ...rest } = setUp()
  const application = service.applications.create({
    owner: ada,
    assets: [
      { id: 'asset-1', name: 'hero.png' },
      { id: 'asset-2', name: 'unused.png' },
    ],
  })
  const path = `/applications/${application.id}/widget-configs` as const
  const mine = as(ada)
  const create = async () => (await mine<Config>(`POST ${path}`, { display_name: 'Stats', surfaces })).body
  return { service, ada, grace, as, mine, application, path, create, ...rest }
}

describe('a widget config', () => {
  it('starts as a draft, with the assets that its surfaces refer to', async () => {
    const { application, create } = withApplication()
    expect(await create()).toEqual({
      application_id: application.id,
      config_id: expect.any(String),
      display_name: 'Stats',
      surfaces,
      status: 'draft',
      resolved_assets: [{ id: 'asset-1', name: 'hero.png' }],
      published_at: null,
      updated_at: start,
    })
  })

  it('is published and unpublished', async () => {
    const { service, mine, path, create } = withApplication()
    const { config_id } = await create()
    service.clock.advance('1m')
    const later = '2026-01-01T00:01:00.000Z'
    expect((await mine(`POST ${path}/${config_id}/publish`)).body).toMatchObject({
      status: 'published',
      published_at: later,
      updated_at: later,
    })
    expect((await mine(`POST ${path}/${config_id}/unpublish`)).body).toMatchObject({ status: 'draft' })
  })

  it('follows the policy where the document does not show a status', async () => {
    const { service, ada, as } = setUp({ policy: { newConfigStatus: 'published' } })
    const { id } = service.applications.create({ owner: ada })
    const { body } = await as(ada)(`POST /applications/${id}/widget-configs`, { display_name: '', surfaces: {} })
    expect(body).toMatchObject({ status: 'published', published_at: start })
  })

  it('is modified: a name if there is one, the surfaces as a whole', async () => {
    const { mine, path, create } = withApplication()
    const { config_id } = await create()
    const { body } = await mine(`PATCH ${path}/${config_id}`, { surfaces: {} })
    expect(body).toMatchObject({ display_name: 'Stats', surfaces: {} })
    expect(body).not.toHaveProperty('resolved_assets')
    expect(problems((await mine(`PATCH ${path}/${config_id}`, { display_name: 'Name' })).body)).toEqual([
      'surfaces: REQUIRED',
    ])
  })

  it('is gone once it is deleted', async () => {
    const { mine, path, create } = withApplication()
    const { config_id } = await create()
    expect((await mine(`DELETE ${path}/${config_id}`)).status).toBe(204)
    expect((await mine(`DELETE ${path}/${config_id}`)).status).toBe(404)
    expect((await mine(`GET ${path}`)).body).toEqual([])
  })

  it('takes a display name of up to 100 characters, counted in code points', async () => {
    const { mine, path } = withApplication()
    const codes = async (display_name: unknown) =>
      problems((await mine(`POST ${path}`, { display_name, surfaces: {} })).body)
    expect(await codes('💡'.repeat(100))).toEqual([])
    expect(await codes('x'.repeat(101))).toEqual(['display_name: TOO_LONG'])
    expect(await codes(null)).toEqual(['display_name: INVALID_TYPE'])
  })

  it('takes surfaces, layouts and types of values that the document does not name, but no other fields', async () => {
    const { mine, path } = withApplication()
    const codes = async (given: object) =>
      problems((await mine(`POST ${path}`, { display_name: 'Stats', surfaces: given })).body)
    const nested = (fallback: object) => ({
      sidebar: { layout: 'grid', components: { a: { fields: { b: field('data', '', fallback) } } } },
    })
    expect(await codes(nested(field('live_event', '')))).toEqual([])
    expect(await codes(nested({ ...field('data', ''), value_type: 5, colour: 'teal' }))).toEqual([
      'surfaces.sidebar.components.a.fields.b.fallback.value_type: INVALID_TYPE',
      'surfaces.sidebar.components.a.fields.b.fallback.colour: UNKNOWN_FIELD',
    ])
  })

  it('is worked on by who has access to its application alone', async () => {
    const { service, ada, grace, as, path, create } = withApplication()
    const { config_id } = await create()
    const hers = as(grace)
    for (const call of [`PATCH ${path}/${config_id}`, `POST ${path}`] as const) {
      expect((await hers(call, { display_name: 'x', surfaces: {} })).status).toBe(403)
    }
    expect((await hers(`DELETE ${path}/${config_id}`)).status).toBe(403)
    expect((await hers(`POST ${path}/${config_id}/publish`)).status).toBe(403)
    const shared = service.applications.create({ owner: ada, members: [grace] })
    const create2 = `POST /applications/${shared.id}/widget-configs` as const
    expect((await hers(create2, { display_name: 'x', surfaces: {} })).status).toBe(200)
    const bot = sender(service.fetch, baseUrl, service.applications.botToken(shared))
    expect((await bot(create2, { display_name: 'y', surfaces: {} })).status).toBe(200)
  })

  it('belongs to one application: another one’s path does not reach it', async () => {
    const { service, ada, mine, create } = withApplication()
    const { config_id } = await create()
    const other = service.applications.create({ owner: ada })
    expect((await mine(`DELETE /applications/${other.id}/widget-configs/${config_id}`)).status).toBe(404)
    expect((await mine('GET /applications/1/widget-configs')).status).toBe(404)
  })
})

describe('listings of widget configs', () => {
  it('show drafts to those with access alone', async () => {
    const { mine, as, grace, path, create } = withApplication()
    await create()
    const { config_id } = await create()
    await mine(`POST ${path}/${config_id}/publish`)
    expect((await mine<Config[]>(`GET ${path}`)).body.map(({ status }) => status)).toEqual(['draft', 'published'])
    expect((await as(grace)<Config[]>(`GET ${path}`)).body.map(({ status }) => status)).toEqual(['published'])
  })

  it('give developers the configs of the applications that they have access to', async () => {
    const { service, mine, as, grace, application, create } = withApplication()
    const config = await create()
    const hers = service.applications.create({ owner: grace })
    expect((await mine('GET /widget-configs/developer')).body).toEqual({ configs: { [application.id]: [config] } })
    expect((await as(grace)('GET /widget-configs/developer')).body).toEqual({ configs: { [hers.id]: [] } })
  })

  it('feature the published configs of featured applications', async () => {
    const { service, mine, as, grace, application, path, create } = withApplication()
    await create()
    const { config_id } = await create()
    await mine(`POST ${path}/${config_id}/publish`)
    const featured = () => as(grace)<{ application_ids: string[]; configs: object }>('GET /widget-configs/featured')
    expect((await featured()).body).toEqual({ application_ids: [], configs: {} })
    service.applications.feature(application)
    expect((await featured()).body).toMatchObject({
      application_ids: [application.id],
      configs: { [application.id]: [{ config_id, status: 'published' }] },
    })
  })

  it('define the documented layouts, and those that a test adds', async () => {
    const { service, mine } = withApplication()
    const definition = {
      key: 'widget_top_hero',
      surface: 'widget_top',
      display_name: 'Hero',
      components: {
        hero: {
          display_name: 'Hero',
          required: true,
          fields: { image: { display_name: 'Image', required: true, allowed_presentation_types: ['image'] } },
        },
      },
    }
    service.layouts.define(definition)
    const { body } = await mine('GET /widget-configs/layout-definitions')
    expect(Object.keys(body)).toHaveLength(10)
    expect(body).toMatchObject({ widget_top_hero: definition, mini_profile_hero_stat: { surface: 'mini_profile' } })
  })
})
