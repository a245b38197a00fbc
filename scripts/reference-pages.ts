// Pages that are printed from tables in the code, so that they cannot tell another story. `npm run docs` writes them; a test
// compares them.

import { GRANTS, POLICY } from '../packages/gateway/src/access/policy.ts'
import { listSettings } from '../packages/gateway/src/config.ts'
import { describeConsoleApi } from '../packages/gateway/src/console-api/routes/document.ts'
import { API_ERRORS } from '../packages/gateway/src/errors.ts'

export const REFERENCE_PAGES = [
  { path: 'docs/errors.md', text: errorsPage() },
  { path: 'docs/configuration.md', text: configurationPage() },
  { path: 'docs/roles.md', text: rolesPage() },
  { path: 'packages/gateway/openapi.json', text: `${JSON.stringify(describeConsoleApi(), null, 2)}\n` },
]

function errorsPage(): string {
  const errors = Object.entries(API_ERRORS).map(([code, error]) => ({ code, ...error }))
  const statuses = [...new Set(errors.map(({ status }) => status))].toSorted((a, b) => a - b)
  return page([
    '# Errors',
    'Every error of the API has this shape, with these four keys. `param` names the field at fault, or is null.',
    '```json\n{ "error": { "message": "…", "type": "invalid_request_error", "param": "n", "code": "integer_above_max_value" } }\n```',
    'A failure after a stream has begun cannot change its status any more: the stream then ends with one event that holds only this object, and without `[DONE]`.',
    'Clients retry 408, 409, 429 and 5xx by themselves; `retry-after` says when. Other errors stay the same until the request, the model or the device changes.',
    ...statuses.flatMap((status) => [
      `## ${status}`,
      errors
        .filter((error) => error.status === status)
        .map(({ code, means }) => `- \`${code}\`: ${means}`)
        .join('\n'),
    ]),
  ])
}

function configurationPage(): string {
  return page([
    '# Configuration of the gateway',
    'Settings are environment variables, read once at the start. A value that makes no sense stops the start and says why.',
    listSettings()
      .map(({ name, fallback, help }) => `- \`${name}\` (default \`${fallback}\`): ${help}`)
      .join('\n'),
  ])
}

function rolesPage(): string {
  const rows = Object.entries(POLICY).map(([action, reaches]) => {
    const roles = Object.entries(reaches).filter(([, reach]) => reach !== 'none')
    return `- \`${action}\`: ${roles.map(([role, reach]) => (reach === 'own' ? `${role} (own)` : role)).join(', ')}`
  })
  const grants = Object.entries(GRANTS).map(([role, roles]) => `- ${role}: ${roles.join(', ') || 'none'}`)
  return page([
    '# Roles',
    'Who may do what in an organization. `own` reaches what the person made: own keys, and their usage. What is not here is not allowed.',
    rows.join('\n'),
    'Roles that a person of each role may give, and may take from others. An organization keeps at least one owner.',
    grants.join('\n'),
  ])
}

function page(blocks: string[]): string {
  return `${['<!-- Printed by `npm run docs`; do not edit. -->', ...blocks].join('\n\n')}\n`
}
