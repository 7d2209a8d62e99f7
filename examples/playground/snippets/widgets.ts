import type { Client, GameWidgetInput } from 'rapport-sdk'

export async function replaceWidgets(
  client: Client,
  widgets: GameWidgetInput[],
) {
  const saved = await client.widgets.replace({ widgets })
  return saved
}
