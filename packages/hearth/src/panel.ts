// Printed once everything runs: the few facts a person needs now.

import { findListed, STARTER_MODEL } from '@hearth/model-list'
import { sizeOf, suggestModel } from './suggest-model.ts'

export interface PanelFacts {
  baseUrl: string
  /** The same for other machines; undefined if only this machine can reach the gateway. */
  networkUrl: string | undefined
  consoleUrl: string
  /** Only in the run that made it. */
  newKey: string | undefined
  isOwnerLink: boolean
  models: readonly string[]
  /** Of this machine, to suggest a better model than the starter. */
  memoryBytes: number
  dataFolder: string
  /** The process IDs of the gateways. */
  gateways: readonly number[]
}

export function renderPanel({
  baseUrl,
  networkUrl,
  consoleUrl,
  newKey,
  isOwnerLink,
  models,
  memoryBytes,
  dataFolder,
  gateways,
}: PanelFacts): string {
  const key = newKey ?? 'YOUR_KEY'
  const model = models[0]
  const lines = [
    '',
    '  Hearth is running.',
    '',
    `  Base URL   ${baseUrl}`,
    ...(networkUrl === undefined
      ? ['             (only on this machine; for others, start with HOST=0.0.0.0)']
      : [`             ${networkUrl} (from other machines)`]),
    `  API key    ${newKey ?? 'shown once at first start. Create another under Keys in the console'}`,
    ...(newKey ? ['             (shown only once: save it now)'] : []),
    `  Console    ${consoleUrl}`,
    ...(isOwnerLink ? ['             (this link works once and makes you the owner)'] : []),
    `  Models     ${models.length > 0 ? models.join(', ') : 'none yet. Add a device in the console'}`,
    ...aboutStarter(models, memoryBytes),
    ...(gateways.length > 1
      ? [
          `  Gateways   ${gateways.length} share this address (process IDs ${gateways.join(', ')})`,
          '             (if one stops, the others carry on and it is started again)',
        ]
      : []),
    `  Data       ${dataFolder}`,
    '',
    ...(model ? ['  Try it:', '', indent(curlLine(baseUrl, key, model)), ''] : []),
    '  Press Ctrl-C to stop.',
    '',
  ]
  return lines.join('\n')
}

/** So that nobody takes its answers for what Hearth can do. */
function aboutStarter(models: readonly string[], memoryBytes: number): string[] {
  const isStarter = models.length > 0 && models.every((name) => findListed(name) === STARTER_MODEL)
  if (!isStarter) return []
  const better = suggestModel(memoryBytes)
  return [
    `             (${Math.round(STARTER_MODEL.parameters * 1000)}M parameters, for testing: it knows little)`,
    '             Serve a better one: Models → Add a model in the console,',
    ...(better ? [`             or start with npm start -- --model ${better.name} (${sizeOf(better)} GB)`] : []),
  ]
}

function curlLine(baseUrl: string, key: string, model: string): string {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    max_tokens: 100,
  })
  return `curl ${baseUrl}/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
