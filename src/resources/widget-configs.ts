import { contract } from '../contract'
import type {
  CreateWidgetConfigParams,
  FeaturedWidgetConfigs,
  LayoutDefinitions,
  UpdateWidgetConfigParams,
  WidgetConfig,
  WidgetConfigsByApplication,
} from '../contract/widget-configs'
import { bindMembers } from '../internal/bind-members'
import type { ApiPromise } from '../transport/call'
import type { Transport } from '../transport/transport'
import type { RequestOptions } from '../types/options'

/** How applications' data look on profiles. Interface, "I. Widget configs". */
export class WidgetConfigs {
  readonly #transport: Transport

  /** @internal */
  constructor(transport: Transport) {
    this.#transport = transport
    bindMembers(this)
  }

  /** The configs that the service features. Interface, "I. Widget configs". */
  featured(options?: RequestOptions): ApiPromise<FeaturedWidgetConfigs> {
    return this.#transport.send(contract.widgetConfigs.featured, [], undefined, options)
  }

  /** The configs of the applications that the user has access to. Interface, "I. Widget configs". */
  developer(options?: RequestOptions): ApiPromise<WidgetConfigsByApplication> {
    return this.#transport.send(contract.widgetConfigs.developer, [], undefined, options)
  }

  /**
   * The layouts that surfaces may have. The structure of the map is not shown: `isLayoutDefinition` tells what a value
   * is. Interface, "I. Widget configs".
   */
  layoutDefinitions(options?: RequestOptions): ApiPromise<LayoutDefinitions> {
    return this.#transport.send(contract.widgetConfigs.layoutDefinitions, [], undefined, options)
  }

  /**
   * The configs of an application. Interface, "I. Widget configs".
   *
   * @param applicationId Snowflake of the application.
   */
  list(applicationId: string, options?: RequestOptions): ApiPromise<WidgetConfig[]> {
    return this.#transport.send(contract.widgetConfigs.list, [applicationId], undefined, options)
  }

  /**
   * Creates a config. Its first status is not shown. Interface, "I. Widget configs".
   *
   * @param applicationId Snowflake of the application.
   * @throws RequestValidationError for a name over 100 characters, or for surfaces that have not what they need.
   *
   * @example
   * import { Client } from 'rapport-sdk'
   *
   * const client = new Client({ baseUrl: 'https://service.example', token: 'a token' })
   * const config = await client.widgetConfigs.create('200', {
   *   display_name: 'Season 4',
   *   surfaces: {
   *     widget_top: {
   *       layout: 'widget_top_hero',
   *       components: {
   *         title: { fields: { text: { value_type: 'custom_string', presentation_type: 'text', value: 'Season 4' } } },
   *       },
   *     },
   *   },
   * })
   * await client.widgetConfigs.publish('200', config.config_id)
   */
  create(applicationId: string, params: CreateWidgetConfigParams, options?: RequestOptions): ApiPromise<WidgetConfig> {
    return this.#transport.send(contract.widgetConfigs.create, [applicationId], params, options)
  }

  /**
   * Changes a config; the surfaces must be given. They may be those that a call returned, and so may the whole config: of
   * that `display_name` and `surfaces` are sent. Interface, "I. Widget configs".
   *
   * @param applicationId Snowflake of the application.
   * @param configId Snowflake of the config.
   * @throws RequestValidationError for a name over 100 characters, or for surfaces that have not what they need.
   */
  update(
    applicationId: string,
    configId: string,
    params: UpdateWidgetConfigParams,
    options?: RequestOptions,
  ): ApiPromise<WidgetConfig> {
    const sent = isConfig(params) ? { display_name: params.display_name, surfaces: params.surfaces } : params
    return this.#transport.send(contract.widgetConfigs.update, [applicationId, configId], sent, options)
  }

  /**
   * Deletes a config. Interface, "I. Widget configs".
   *
   * @param applicationId Snowflake of the application.
   * @param configId Snowflake of the config.
   */
  delete(applicationId: string, configId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.#transport.send(contract.widgetConfigs.delete, [applicationId, configId], undefined, options)
  }

  /**
   * Moves a config to status `published`. Interface, "Widget config".
   *
   * @param applicationId Snowflake of the application.
   * @param configId Snowflake of the config.
   */
  publish(applicationId: string, configId: string, options?: RequestOptions): ApiPromise<WidgetConfig> {
    return this.#transport.send(contract.widgetConfigs.publish, [applicationId, configId], undefined, options)
  }

  /**
   * Takes a config back; the status it gets is not shown. Interface, "Widget config".
   *
   * @param applicationId Snowflake of the application.
   * @param configId Snowflake of the config.
   */
  unpublish(applicationId: string, configId: string, options?: RequestOptions): ApiPromise<WidgetConfig> {
    return this.#transport.send(contract.widgetConfigs.unpublish, [applicationId, configId], undefined, options)
  }
}

/** Whether parameters are a whole config that a call returned. */
function isConfig(params: UpdateWidgetConfigParams): params is UpdateWidgetConfigParams & WidgetConfig {
  return typeof Object(params).config_id === 'string'
}
