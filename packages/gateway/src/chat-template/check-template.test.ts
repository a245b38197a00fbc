import { describe, expect, it } from 'vitest'
import { checkTemplate } from './check-template.ts'
import { templateProblem } from './template-problem.ts'

const GOOD = `{% for message in messages %}<|{{ message.role }}|>{{ message.content }}{% endfor %}`

describe('a chat template', () => {
  it('is accepted if it shows the user’s message', async () => {
    expect(await checkTemplate(GOOD)).toBeUndefined()
  })

  it.each([
    ['can’t be parsed', '{% for message in messages %}', /can't be parsed: /],
    ['leaves out the user’s message', '{{ messages | length }}', /leaves out the user's message/],
    ['rejects every message', "{{ raise_exception('Roles must alternate') }}", /rejects .*: Roles must alternate/],
  ])('is rejected if it %s', async (_why, template, problem) => {
    expect(await checkTemplate(template)).toMatch(problem)
  })

  it('may have no place for a system message, or expect content in parts', () => {
    const strict = `{% if messages[0].role == 'system' %}{{ raise_exception('no system') }}{% endif %}${GOOD}`
    const parts =
      '{% for message in messages %}{% for part in message.content %}{{ part.text }}{% endfor %}{% endfor %}'
    expect([templateProblem(strict), templateProblem(parts)]).toEqual([undefined, undefined])
  })

  it('can’t tell a try from a conversation by its words', () => {
    const evading = `{% for word in ['probe', 'Answer briefly.', 'test'] %}{% for message in messages %}{% if word in message.content %}{{ message.content }}{% endif %}{% endfor %}{% endfor %}`
    expect(templateProblem(evading)).toMatch(/leaves out the user's message/)
  })

  it('is left to the device if only the gateway can’t render it', () => {
    expect(templateProblem('{{ messages | an_unknown_filter }}')).toBeUndefined()
  })

  it('is rejected if it never ends', async () => {
    const endless = `{% for a in range(100000) %}{% for b in range(100000) %}{{ b }}{% endfor %}{% endfor %}`
    expect(await checkTemplate(endless, 500)).toMatch(/takes too (long|much memory)/)
  })
})
