// Printed once everything runs: the few facts a person needs now.

import { findListed, STARTER_MODEL } from '@hearth/model-list'

const MOST_MODELS = 6

export interface PanelFacts {
  baseUrl: string
  /** The same for other machines; undefined if only this machine can reach the gateway. */
  networkUrl: string | undefined
  consoleUrl: string
  /** Only in the run that made it. */
  newKey: string | undefined
  isOwnerLink: boolean
  /** The first one is the one to try. */
  models: readonly string[]
  dataFolder: string
  /** What to type for `hearth`: that word, or a path. */
  command: string
  /** Where it was put, or why it was not. */
  commandNote: string | undefined
  /** The process IDs of the gateways. */
  gateways: readonly number[]
}

export function renderPanel(facts: PanelFacts): string {
  const lines = [
    '',
    '  Hearth is running.',
    '',
    ...addressLines(facts),
    ...keyLines(facts),
    ...consoleLines(facts),
    ...modelLines(facts),
    ...gatewayLines(facts),
    `  Data       ${facts.dataFolder}`,
    ...commandLines(facts),
    '',
    ...trialLines(facts),
    '  Press Ctrl-C to stop.',
    '',
  ]
  return lines.join('\n')
}

function addressLines({ baseUrl, networkUrl }: PanelFacts): string[] {
  return [
    `  Base URL   ${baseUrl}`,
    networkUrl === undefined
      ? '             (only on this machine; for others, start with HOST=0.0.0.0)'
      : `             ${networkUrl} (from other machines)`,
  ]
}

function commandLines({ command, commandNote }: PanelFacts): string[] {
  return [`  Commands   ${command} --help`, ...(commandNote === undefined ? [] : [`             (${commandNote})`])]
}

function keyLines({ newKey, command }: PanelFacts): string[] {
  return newKey === undefined
    ? ['  API key    shown once at first start. For another one:', `             ${command} admin key create <name>`]
    : [`  API key    ${newKey}`, '             (shown only once: save it now)']
}

function consoleLines({ consoleUrl, isOwnerLink }: PanelFacts): string[] {
  const about = isOwnerLink ? ['             (this link works once and makes you the owner)'] : []
  return [`  Console    ${consoleUrl}`, ...about]
}

function modelLines({ models, command }: PanelFacts): string[] {
  return [
    `  Models     ${models.length > 0 ? someOf(models) : 'none yet. Add a device in the console'}`,
    ...aboutStarter(models, command),
  ]
}

function someOf(models: readonly string[]): string {
  const rest = models.length - MOST_MODELS
  return models.slice(0, MOST_MODELS).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

function gatewayLines({ gateways }: PanelFacts): string[] {
  if (gateways.length < 2) return []
  return [
    `  Gateways   ${gateways.length} share this address (process IDs ${gateways.join(', ')})`,
    '             (if one stops, the others carry on and it is started again)',
  ]
}

function trialLines({ baseUrl, newKey = 'YOUR_KEY', models: [model] }: PanelFacts): string[] {
  return model === undefined ? [] : ['  Try it:', '', `  ${curlLine(baseUrl, newKey, model)}`, '']
}

/** So that nobody takes its answers for what Hearth can do. */
function aboutStarter(models: readonly string[], command: string): string[] {
  const isStarter = models.length > 0 && models.every((name) => findListed(name) === STARTER_MODEL)
  if (!isStarter) return []
  return [
    `             (${Math.round(STARTER_MODEL.parameters * 1000)}M parameters, for testing: it knows little)`,
    '             Serve a better one: Models → Add a model in the console.',
    `             The best one for this machine: ${command} device models recommend`,
  ]
}

export function curlLine(baseUrl: string, key: string, model: string, environment = process.env): string {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    max_tokens: 100,
  })
  return `curl ${aroundProxy(environment)}${baseUrl}/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`
}

/** curl would send even what stays on this machine through a proxy, with the key. */
function aroundProxy(environment: NodeJS.ProcessEnv): string {
  const { http_proxy: plain, all_proxy: all, ALL_PROXY: also } = environment
  return plain || all || also ? "--noproxy '*' " : ''
}
