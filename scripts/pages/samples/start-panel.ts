// The panel that `npm start` prints the first time.

import { renderPanel } from '../../../packages/hearth/src/terminal/panel.ts'

const ORIGIN = 'http://127.0.0.1:8080'

export function startPanel(): string {
  return renderPanel({
    baseUrl: `${ORIGIN}/openai/v1`,
    networkUrl: undefined,
    consoleUrl: `${ORIGIN}/invitation#…`,
    newKey: 'sk-hearth-…',
    isOwnerLink: true,
    models: ['smollm2-135m-instruct'],
    dataFolder: '…/data',
    command: 'hearth',
    commandNote: 'installed in ~/.local/bin',
    gateways: [1],
  })
}
