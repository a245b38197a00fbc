import { describe, expect, it } from 'vitest'
import { renderPanel, type PanelFacts } from './panel.ts'

const facts: PanelFacts = {
  baseUrl: 'http://127.0.0.1:8080/openai/v1',
  consoleUrl: 'http://127.0.0.1:8080/',
  newKey: undefined,
  isOwnerLink: false,
  models: ['tiny'],
  dataFolder: 'data',
}

describe('the panel', () => {
  it('[R2] shows a new key once, with a line to paste', () => {
    const panel = renderPanel({ ...facts, newKey: 'sk-hearth-x' })
    expect(panel).toContain('API key    sk-hearth-x')
    expect(panel).toContain(
      `curl http://127.0.0.1:8080/openai/v1/chat/completions -H "Authorization: Bearer sk-hearth-x"`,
    )
  })

  it('[R2] does not pretend to know an old key', () => {
    expect(renderPanel(facts)).toContain('Bearer YOUR_KEY')
  })

  it('[R2] offers no line to paste while no model is served', () => {
    expect(renderPanel({ ...facts, models: [] })).not.toContain('curl')
  })
})
