// Functionary 3.2: every part of a reply names its recipient, "all" for the user or the name of a tool. The prompt ends after ">>>".

import { NAME } from '../../formats/tool-syntax.ts'
import type { Family } from './family.ts'

export const FUNCTIONARY32: Family = {
  name: 'Functionary 3.2',
  has: ['>>>${recipient}', '>>>all'],
  tools: {
    begin: [''],
    middle: ['\n'],
    between: ['>>>'],
    end: [],
    slips: [['>>>']],
    triggers: [
      { text: `${NAME}\n`, isOnlyFirst: true },
      { text: `>>>${NAME}\n`, isOnlyFirst: false },
    ],
  },
  content: { before: ['all\n', '>>>all\n'] },
}
