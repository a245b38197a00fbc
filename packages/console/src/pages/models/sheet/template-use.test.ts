import { describe, expect, it } from 'vitest'
import { templateUse } from './template-use.ts'

const device = (name: string, takesTemplates: boolean) => ({ name, takesTemplates })

describe('templateUse', () => {
  it('says nothing if every device uses the template', () => {
    expect(templateUse([])).toBeUndefined()
    expect(templateUse([device('desk', true)])).toBeUndefined()
  })

  it('names the devices whose owners don’t allow it', () => {
    expect(templateUse([device('attic', false), device('desk', true), device('vm', false)])).toBe(
      '1 of 3 devices uses it: the owners of attic and vm don’t allow it.',
    )
    expect(templateUse([device('attic', false)])).toBe('No device uses it: the owner of attic doesn’t allow it.')
  })
})
