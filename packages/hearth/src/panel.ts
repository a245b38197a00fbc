// Printed once everything runs: the few facts a person needs now.

export interface PanelFacts {
  baseUrl: string
  /** The same for other machines; undefined if only this machine can reach the gateway. */
  networkUrl: string | undefined
  consoleUrl: string
  /** Only in the run that made it. */
  newKey: string | undefined
  isOwnerLink: boolean
  models: readonly string[]
  dataFolder: string
}

export function renderPanel({
  baseUrl,
  networkUrl,
  consoleUrl,
  newKey,
  isOwnerLink,
  models,
  dataFolder,
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
    `  Data       ${dataFolder}`,
    '',
    ...(model ? ['  Try it:', '', indent(curlLine(baseUrl, key, model)), ''] : []),
    '  Press Ctrl-C to stop.',
    '',
  ]
  return lines.join('\n')
}

function curlLine(baseUrl: string, key: string, model: string): string {
  const body = JSON.stringify({
    model,
    messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    max_tokens: 60,
    temperature: 0,
  })
  return `curl ${baseUrl}/chat/completions -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'`
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
