import type { GatewayFrame, ModelDefaults } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { DefaultsSender } from './defaults-sender.ts'

function begin(known: Record<string, ModelDefaults>) {
  const defaults = new Map(Object.entries(known))
  const frames: GatewayFrame[] = []
  const source = {
    defaultsOf: (organization: string, model: string) => (organization === 'acme' ? defaults.get(model) : undefined),
    templatedModels: () => [...defaults].flatMap(([model, { chatTemplate }]) => (chatTemplate ? [model] : [])),
  }
  const sender = new DefaultsSender(source, 'acme', (frame) => frames.push(frame))
  return { defaults, sender, sent: () => frames.splice(0) }
}

const models = (...names: string[]) => names.map((name) => ({ name }))
const frame = (model: string, defaults: ModelDefaults) => ({ type: 'defaults', model, defaults })

describe('the defaults that a device gets', () => {
  it('are those of the models that it announces, once', () => {
    const { sender, sent } = begin({ a: { topP: 0.1 }, b: { topP: 0.2 } })
    sender.tell(models('a', 'unknown'))
    expect(sent()).toEqual([frame('a', { topP: 0.1 })])
    sender.tell(models('a', 'b'))
    expect(sent()).toEqual([frame('b', { topP: 0.2 })])
    sender.tell(models('a', 'b'))
    expect(sent()).toEqual([])
  })

  it('follow changes, and become empty when there are none left', () => {
    const { defaults, sender, sent } = begin({ a: { topP: 0.1 } })
    sender.tell(models('a', 'b'))
    sent()
    defaults.set('a', { topP: 0.5 }).set('b', { topP: 0.6 }).set('c', { topP: 0.7 })
    sender.tell(models('a', 'b'))
    expect(sent()).toEqual([frame('a', { topP: 0.5 }), frame('b', { topP: 0.6 })])
    defaults.delete('a')
    sender.tell([])
    expect(sent()).toEqual([frame('a', {})])
  })

  it('include models with a chat template of the organization’s own, even if the device does not announce them', () => {
    const { defaults, sender, sent } = begin({ broken: { chatTemplate: 't' }, other: { topP: 0.1 } })
    sender.tell([])
    expect(sent()).toEqual([frame('broken', { chatTemplate: 't' })])
    defaults.set('new', { chatTemplate: 'u' })
    sender.tell([])
    expect(sent()).toEqual([frame('new', { chatTemplate: 'u' })])
  })
})
