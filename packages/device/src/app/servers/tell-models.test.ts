import { describe, expect, it } from 'vitest'
import { createEchoEngine, ECHO_MODEL } from '../../testing/echo-engine.ts'
import { tellModels } from './tell-models.ts'

describe('tellModels', () => {
  it('tells the owner once about each model that appears, changes or disappears', () => {
    const said: string[] = []
    const engine = createEchoEngine({ models: [] })
    tellModels('http://here', engine, (text, level = 'warn') => said.push(`${level} ${text}`))
    engine.serve([{ ...ECHO_MODEL, features: ['usage', 'tools'] }])
    engine.serve([{ ...ECHO_MODEL, features: ['usage', 'tools'] }])
    engine.serve([{ ...ECHO_MODEL, features: ['usage', 'tools'], slots: 7 }])
    engine.serve([{ ...ECHO_MODEL, features: [], slots: 1 }])
    engine.serve([])
    expect(said).toEqual([
      'good echo: ready on http://here, 2 slots of 1,000 tokens (tools)',
      'good echo: ready on http://here, 1 slot of 1,000 tokens (basic features only)',
      'warn echo: no longer available on http://here',
    ])
  })
})
