// Command R+: a list of actions in a code block.

import type { Family } from './family.ts'

export const COMMAND_R_PLUS: Family = {
  name: 'Command R+',
  has: ['directly-answer', 'json-formatted list of actions'],
  tools: {
    begin: ['Action:\n```json\n[\n    {\n        "tool_name": "'],
    middle: ['",\n        "parameters": '],
    between: ['\n    },\n    {\n        "tool_name": "'],
    end: ['\n    }\n]```'],
    triggers: [
      { text: 'Action:\n```json', isOnlyFirst: false },
      { text: 'Action: ```json', isOnlyFirst: false },
    ],
  },
}
