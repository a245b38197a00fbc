// Tells the owner when models of a local server appear, change or disappear. How many requests a model takes may change often, and is no news.

import { formatCount, plural } from '@hearth/command-line/format'
import type { ChangingEngine } from '../../engines/engine.ts'
import type { Say } from '../../news.ts'
import { describeFeatures } from '../../terminal/describe-features.ts'

export function tellModels(server: string, engine: ChangingEngine, say: Say): void {
  let told = new Map<string, string>()
  engine.onChange(() => {
    const now = new Map<string, string>()
    for (const { name, slots, contextLength, features } of engine.models()) {
      const able = `${formatCount(contextLength)} tokens (${describeFeatures(features)})`
      if (told.get(name) !== able) say(`${name}: ready on ${server}, ${plural(slots, 'slot')} of ${able}`, 'good')
      now.set(name, able)
    }
    for (const name of told.keys()) if (!now.has(name)) say(`${name}: no longer available on ${server}`)
    told = now
  })
}
