import { describe, expect, it } from 'vitest'
import { baseUrl, problems, sender, setUp, start } from './set-up'

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

function setUpApplication(featured = false) {
  const { service, ada, grace, as, ...rest } = setUp()
  const application = service.applications.create({
    owner: ada,
    featured,
    assets: [
      { id: 'asset-1', name: 'hero.png' },
      { id: 'asset-2', name: 'unused.png' },
    ],
  })
  const path = `/applications/${application.id}/widget-configs` as const
  const asAda = as(ada)
  const create = async () => (await asAda<Config>(`POST ${path}`, { display_name: 'Stats', surfaces })).body
  return { service, ada, grace, as, asAda, application, path, create, ...rest }
}

describe('a widget config', () => {
  it('it is a draft with the assets of its surfaces when it is new', async () => {
    const { application, create } = setUpApplication()
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

  it('can be published and unpublished', async () => {
    const { service, asAda, path, create } = setUpApplication()
    const { config_id } = await create()
    service.clock.advance('1m')
    const later = '2026-01-01T00:01:00.000Z'
    expect((await asAda(`POST ${path}/${config_id}/publish`)).body).toMatchObject({
      status: 'published',
      published_at: later,
      updated_at: later,
    })
    expect((await asAda(`POST ${path}/${config_id}/unpublish`)).body).toMatchObject({ status: 'draft' })
  })

  it('has the status that the policy decides when it is new', async () => {
    const { service, ada, as } = setUp({ policy: { newConfigStatus: 'published' } })
    const { id } = service.applications.create({ owner: ada })
    const { body } = await as(ada)(`POST /applications/${id}/widget-configs`, { display_name: '', surfaces: {} })
    expect(body).toMatchObject({ status: 'published', published_at: start })
  })

  it('a modification keeps an absent name and replaces all surfaces', async () => {
    const { asAda, path, create } = setUpApplication()
    const { config_id } = await create()
    const { body } = await asAda(`PATCH ${path}/${config_id}`, { surfaces: {} })
    expect(body).toMatchObject({ display_name: 'Stats', surfaces: {} })
    expect(body).not.toHaveProperty('resolved_assets')
    expect(problems((await asAda(`PATCH ${path}/${config_id}`, { display_name: 'Name' })).body)).toEqual([
      'surfaces: REQUIRED',
    ])
  })

  it('it is gone when it is deleted', async () => {
    const { asAda, path, create } = setUpApplication()
    const { config_id } = await create()
    expect((await asAda(`DELETE ${path}/${config_id}`)).status).toBe(204)
    expect((await asAda(`DELETE ${path}/${config_id}`)).status).toBe(404)
    expect((await asAda(`GET ${path}`)).body).toEqual([])
  })

  it('a display name can have up to 100 code points', async () => {
    const { asAda, path } = setUpApplication()
    const codes = async (display_name: unknown) =>
      problems((await asAda(`POST ${path}`, { display_name, surfaces: {} })).body)
    expect(await codes('💡'.repeat(100))).toEqual([])
    expect(await codes('x'.repeat(101))).toEqual(['display_name: TOO_LONG'])
    expect(await codes(null)).toEqual(['display_name: INVALID_TYPE'])
  })

  it('accepts unknown fields, but only values that the API lists', async () => {
    const { service, asAda, path, create } = setUpApplication()
    const { config_id } = await create()
    const codes = async (candidate: object) => [
      ...problems((await asAda(`POST ${path}`, { display_name: 'Stats', surfaces: candidate })).body),
      ...problems((await asAda(`PATCH ${path}/${config_id}`, { surfaces: candidate })).body),
    ]
    const twice = (...found: string[]) => [...found, ...found]
    const nested = (fallback: object, layout = 'widget_top_hero') => ({
      widget_top: { layout, components: { a: { fields: { b: field('data', '', fallback) } } } },
    })
    const at = 'surfaces.widget_top.components.a.fields.b.fallback'
    expect(await codes(nested({ ...field('custom_string', ''), colour: 'teal' }))).toEqual([])
    expect(await codes({ nope: { layout: 'widget_top_hero', components: {} } })).toEqual(
      twice('surfaces.nope: INVALID_VALUE'),
    )
    expect(await codes(nested(field('data', ''), 'widget_top_her'))).toEqual(
      twice('surfaces.widget_top.layout: INVALID_VALUE'),
    )
    expect(await codes(nested({ ...field('q', ''), presentation_type: 'q' }))).toEqual(
      twice(`${at}.value_type: INVALID_VALUE`, `${at}.presentation_type: INVALID_VALUE`),
    )
    expect(await codes(nested({ ...field('data', ''), value_type: 5 }))).toEqual(
      twice(`${at}.value_type: INVALID_TYPE`),
    )
    service.layouts.define({ key: 'grid', surface: 'widget_top', display_name: 'Grid', components: {} })
    expect(await codes(nested(field('data', ''), 'grid'))).toEqual([])
    // None of the rejected calls changed the config.
    expect((await asAda<Config[]>(`GET ${path}`)).body.find((one) => one.config_id === config_id)).toMatchObject({
      surfaces: nested(field('data', ''), 'grid'),
    })
  })

  it('a non-strict service accepts surfaces with values that the API does not list', async () => {
    const { service, ada, as } = setUp({ strict: false })
    const { id } = service.applications.create({ owner: ada })
    const surfaces = { nope: { layout: 'grid', components: { a: { fields: { b: field('q', '') } } } } }
    const { body } = await as(ada)(`POST /applications/${id}/widget-configs`, { display_name: 'a', surfaces })
    expect(body).toMatchObject({ surfaces })
  })

  it('can be changed only by users and bots with access to the application', async () => {
    const { service, ada, grace, as, path, create } = setUpApplication()
    const { config_id } = await create()
    const asGrace = as(grace)
    for (const call of [`PATCH ${path}/${config_id}`, `POST ${path}`] as const) {
      expect((await asGrace(call, { display_name: 'x', surfaces: {} })).status).toBe(403)
    }
    expect((await asGrace(`DELETE ${path}/${config_id}`)).status).toBe(403)
    expect((await asGrace(`POST ${path}/${config_id}/publish`)).status).toBe(403)
    const shared = service.applications.create({ owner: ada, members: [grace] })
    const create2 = `POST /applications/${shared.id}/widget-configs` as const
    expect((await asGrace(create2, { display_name: 'x', surfaces: {} })).status).toBe(200)
    const bot = sender(service.fetch, baseUrl, service.applications.botToken(shared))
    expect((await bot(create2, { display_name: 'y', surfaces: {} })).status).toBe(200)
  })

  it('cannot be reached by the path of another application', async () => {
    const { service, ada, asAda, create } = setUpApplication()
    const { config_id } = await create()
    const other = service.applications.create({ owner: ada })
    expect((await asAda(`DELETE /applications/${other.id}/widget-configs/${config_id}`)).status).toBe(404)
    expect((await asAda('GET /applications/1/widget-configs')).status).toBe(404)
  })
})

describe('lists of widget configs', () => {
  it('have drafts only for users with access', async () => {
    const { asAda, as, grace, path, create } = setUpApplication()
    await create()
    const { config_id } = await create()
    await asAda(`POST ${path}/${config_id}/publish`)
    expect((await asAda<Config[]>(`GET ${path}`)).body.map(({ status }) => status)).toEqual(['draft', 'published'])
    expect((await as(grace)<Config[]>(`GET ${path}`)).body.map(({ status }) => status)).toEqual(['published'])
  })

  it('have the configs of the applications that the user has access to, for developers', async () => {
    const { service, asAda, as, grace, application, create } = setUpApplication()
    const config = await create()
    const asGrace = service.applications.create({ owner: grace })
    expect((await asAda('GET /widget-configs/developer')).body).toEqual({ configs: { [application.id]: [config] } })
    expect((await as(grace)('GET /widget-configs/developer')).body).toEqual({ configs: { [asGrace.id]: [] } })
  })

  it('have the published configs of featured applications, if they are the featured list', async () => {
    const listFeatured = async (featured: boolean) => {
      const { asAda, as, grace, application, path, create } = setUpApplication(featured)
      await create()
      const { config_id } = await create()
      await asAda(`POST ${path}/${config_id}/publish`)
      const { body } = await as(grace)<{ application_ids: string[]; configs: object }>('GET /widget-configs/featured')
      return { body, id: application.id, config_id }
    }
    expect((await listFeatured(false)).body).toEqual({ application_ids: [], configs: {} })
    const { body, id, config_id } = await listFeatured(true)
    expect(body).toMatchObject({ application_ids: [id], configs: { [id]: [{ config_id, status: 'published' }] } })
  })

  it('the layout definitions are the documented ones and those that a test adds', async () => {
    const { service, asAda } = setUpApplication()
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
    const { body } = await asAda('GET /widget-configs/layout-definitions')
    expect(Object.keys(body)).toHaveLength(10)
    expect(body).toMatchObject({ widget_top_hero: definition, mini_profile_hero_stat: { surface: 'mini_profile' } })
  })
})
