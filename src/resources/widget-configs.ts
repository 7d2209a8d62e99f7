import {
  type CreateWidgetConfigParams,
  type FeaturedWidgetConfigs,
  type LayoutDefinitions,
  type UpdateWidgetConfigParams,
  type WidgetConfig,
  type WidgetConfigsByApplication,
  widgetConfigs,
} from '../contract/widget-configs'
import { bindMembers } from '../internal/bind-members'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** Look of applications' data on profiles. IDs of applications and configs are snowflakes. API, "I. Widget configs". */
export class WidgetConfigs {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /** Returns the configs featured by the service. API, "I. Widget configs". */
  featured(options?: RequestOptions): ApiPromise<FeaturedWidgetConfigs> {
    return this.#transport.send(widgetConfigs.featured, options)
  }

  /** Returns the configs of all applications that the user has access to. API, "I. Widget configs". */
  developer(options?: RequestOptions): ApiPromise<WidgetConfigsByApplication> {
    return this.#transport.send(widgetConfigs.developer, options)
  }

  /**
   * Returns the available layouts of surfaces. The API document does not show the structure of the map: narrow
   * its values by `isLayoutDefinition`. API, "I. Widget configs".
   */
  layoutDefinitions(options?: RequestOptions): ApiPromise<LayoutDefinitions> {
    return this.#transport.send(widgetConfigs.layoutDefinitions, options)
  }

  /** Returns the configs of an application. API, "I. Widget configs". */
  list(applicationId: string, options?: RequestOptions): ApiPromise<WidgetConfig[]> {
    return this.#transport.send(widgetConfigs.list, options, undefined, [applicationId])
  }

  /**
   * Creates a config. The API document does not show its initial status. Surfaces may be those of another config, also
   * with values that are newer than this package; `satisfies WidgetSurfaceInput` lets the compiler check those of a literal.
   * API, "I. Widget configs".
   *
   * @throws RequestValidationError if the name has more than 100 characters, or if surfaces lack required fields.
   *
   * @example
   * import type { WidgetSurfaceInput } from 'rapport-sdk'
   *
   * const widget_top = {
   *   layout: 'widget_top_hero',
   *   components: {
   *     title: { fields: { text: { value_type: 'custom_string', presentation_type: 'text', value: 'Season 4' } } },
   *   },
   * } satisfies WidgetSurfaceInput
   * const config = await client.widgetConfigs.create('200', { display_name: 'Season 4', surfaces: { widget_top } })
   * await client.widgetConfigs.publish('200', config.config_id)
   */
  create(applicationId: string, params: CreateWidgetConfigParams, options?: RequestOptions): ApiPromise<WidgetConfig> {
    return this.#transport.send(widgetConfigs.create, options, params, [applicationId])
  }

  /**
   * Updates a config; `surfaces` is required. A config returned by a call is also accepted: only its `display_name` and
   * `surfaces` are sent. API, "I. Widget configs".
   *
   * @throws RequestValidationError if the name has more than 100 characters, or if surfaces lack required fields.
   */
  update(
    applicationId: string,
    configId: string,
    params: UpdateWidgetConfigParams,
    options?: RequestOptions,
  ): ApiPromise<WidgetConfig> {
    const body = isConfig(params) ? { display_name: params.display_name, surfaces: params.surfaces } : params
    return this.#transport.send(widgetConfigs.update, options, body, [applicationId, configId])
  }

  /** Deletes a config. API, "I. Widget configs". */
  delete(applicationId: string, configId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(widgetConfigs.delete, options, undefined, [applicationId, configId])
  }

  /** Publishes a config, which sets its status to `published`. API, "Widget config". */
  publish(applicationId: string, configId: string, options?: RequestOptions): ApiPromise<WidgetConfig> {
    return this.#transport.send(widgetConfigs.publish, options, undefined, [applicationId, configId])
  }

  /** Unpublishes a config. The API document does not show its status afterwards. API, "Widget config". */
  unpublish(applicationId: string, configId: string, options?: RequestOptions): ApiPromise<WidgetConfig> {
    return this.#transport.send(widgetConfigs.unpublish, options, undefined, [applicationId, configId])
  }
}

/** Whether parameters are a config returned by a call. */
function isConfig(params: UpdateWidgetConfigParams): params is UpdateWidgetConfigParams & WidgetConfig {
  return typeof Object(params).config_id === 'string'
}
