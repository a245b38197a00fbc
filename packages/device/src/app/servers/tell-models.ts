// Tells the owner when models of a local server appear, change or disappear.

import { formatCount, plural } from '@hearth/command-line/format'
import type { ChangingEngine } from '../../engines/engine.ts'
import type { Say } from '../../news.ts'
import { describeFeatures } from '../../terminal/describe-features.ts'

export function tellModels(server: string, engine: ChangingEngine, say: Say): void {
  let told = new Map<string, string>()
  engine.onChange(() => {
    const now = new Map(
      engine.models().map(({ name, slots, contextLength, features }) => {
        const able = describeFeatures(features)
        return [name, `${plural(slots, 'slot')} of ${formatCount(contextLength)} tokens (${able})`]
      }),
    )
    for (const [name, text] of now) if (told.get(name) !== text) say(`${name}: ready on ${server}, ${text}`, 'good')
    for (const name of told.keys()) if (!now.has(name)) say(`${name}: no longer available on ${server}`)
    told = now
  })
}
