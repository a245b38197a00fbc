// The few things a person needs once everything runs.

export interface PanelFacts {
  baseUrl: string
  consoleUrl: string
  /** Only in the run that made it. */
  newKey: string | undefined
  isOwnerLink: boolean
  models: readonly string[]
  dataFolder: string
}

export function renderPanel({ baseUrl, consoleUrl, newKey, isOwnerLink, models, dataFolder }: PanelFacts): string {
  const key = newKey ?? 'YOUR_KEY'
  const model = models[0]
  const lines = [
    '',
    '  Hearth is running.',
    '',
    `  Base URL   ${baseUrl}`,
    `  API key    ${newKey ?? 'made at the first start; more on the Keys page of the console'}`,
    ...(newKey ? ['             (shown only now: keep it)'] : []),
    `  Console    ${consoleUrl}`,
    ...(isOwnerLink ? ['             (this link works once: it makes you the owner)'] : []),
    `  Models     ${models.length > 0 ? models.join(', ') : 'none yet: add a device in the console'}`,
    `  Data       ${dataFolder}`,
    '',
    ...(model ? ['  Try it:', '', indent(curlLine(baseUrl, key, model)), ''] : []),
    '  Ctrl-C stops it.',
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
