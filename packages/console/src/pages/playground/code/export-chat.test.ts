import { expect, it } from 'vitest'
import { toMarkdown } from './export-chat.ts'

it('writes a conversation as Markdown, with all that was said and called', () => {
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'look', arguments: '{}' } }
  const text = toMarkdown('Weather', [
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'Rain?' },
        { role: 'assistant', content: '', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'no' },
        { role: 'assistant', content: 'No rain.' },
      ],
    },
  ])
  const headings = text.split('\n').filter((line) => line.startsWith('#'))
  expect(headings.join(' ')).toBe('# Weather ## m ### System ### You ### Response ### Tool result ### Response')
  expect(text).toContain('"name": "look"')
  expect(text.endsWith('No rain.')).toBe(true)
})
