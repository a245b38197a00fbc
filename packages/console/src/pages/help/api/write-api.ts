// Writes the operations of an OpenAPI description as pages of Help.

import type { HelpDocument } from '../content.ts'
import { describeLimits, describeType, listInside, type Inside } from './describe-schema.ts'
import {
  listOperations,
  resolve,
  type Description,
  type FieldClass,
  type Operation,
  type Schema,
} from './description.ts'
import { makeCurl, type Known } from './make-curl.ts'

export interface Api {
  name: 'public' | 'console'
  /** URL of the OpenAPI description. */
  source: string
  baseUrl: string
  /** Values for the examples. */
  known: Known
}

const CLASSES: Record<FieldClass, string> = {
  supported: '**Always supported.** These work on every device.',
  device:
    '**Depends on the device.** If no device serving the model supports the field, the request fails with `unsupported_by_node`. Update the device app.',
  ignored: '**Ignored.** These have no effect. The response header `x-service-ignored-params` lists the ones you sent.',
  rejected: '**Rejected.** Requests with these fields fail with `unsupported_parameter`.',
}

/** Access levels other than the permissions of roles. */
const ACCESS: Record<string, string> = {
  anyone: 'No sign-in required.',
  'signed-in': 'Anyone who is signed in can call this.',
}

/** The public API is one page. The console API, which is much larger, has one for each topic. */
export function writeApi(description: Description, api: Api): HelpDocument[] {
  const operations = Map.groupBy(listOperations(description), ({ tag }) => (api.name === 'public' ? '' : tag))
  return Array.from(operations, ([tag, own]) => {
    const title = tag === '' ? 'API reference' : `Console API: ${tag}`
    const text = [
      description.info.description,
      code('', api.baseUrl),
      `Download the [OpenAPI description](${api.source}) of this API.`,
    ].join('\n\n')
    return {
      path: `api/${api.name}${tag && `/${tag.toLowerCase().replaceAll(' ', '-')}`}`,
      title,
      sections: [
        { id: 'top', heading: title, level: 1, text },
        ...own.map((one) => writeOperation(description, one, api)),
      ],
    }
  })
}

function writeOperation(description: Description, operation: Operation, { baseUrl, known }: Api) {
  const { operationId, method, path, summary, parameters = [], requestBody, responses, 'x-access': access } = operation
  const body = requestBody?.content['application/json']
  const fields = parameters.map(({ name, in: location, schema, description: about, required = false }) =>
    writeField(
      description,
      [name, { ...schema, ...(about !== undefined && { description: about }) }, required],
      [],
      location,
    ),
  )
  const text = [
    summary,
    operation.description,
    access && (ACCESS[access] ?? `Requires a role with the permission \`${access}\`.`),
    code('sh', makeCurl(description, operation, baseUrl, known)),
    fields.length > 0 && `### Parameters\n\n${fields.join('\n')}`,
    body && `### Request body\n\n${writeBody(description, body.schema)}`,
    writeResponses(description, responses),
  ]
  return {
    id: operationId,
    heading: `${method.toUpperCase()} ${path}`,
    level: 2,
    text: text.filter(Boolean).join('\n\n'),
  }
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

/** All errors have the same body, so only their codes are listed. */
function writeResponses(description: Description, responses: Operation['responses']): string {
  const answers = responses
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { description: about, headers = {}, content = {} }]) =>
      [
        `\`${status}\` ${about}`,
        ...Object.entries(headers).map(([name, header]) =>
          writeField(
            description,
            [name, { ...header.schema, description: header.description ?? '' }, false],
            [],
            'header',
          ),
        ),
        ...Object.entries(content).map(([type, { schema }]) => `\`${type}\`\n\n${writeBody(description, schema)}`),
      ].join('\n\n'),
    )
  const errors = responses
    .filter(([, response]) => response['x-codes'] !== undefined)
    .map(([status, { description: about, 'x-codes': codes = {} }]) =>
      [`- \`${status}\` ${about}`, ...Object.entries(codes).map(([name, means]) => `  - \`${name}\` ${means}`)].join(
        '\n',
      ),
    )
  return ['### Responses', ...answers, ...(errors.length > 0 ? ['### Errors', errors.join('\n')] : [])].join('\n\n')
}

/** The fields of a request or response, in groups if the gateway treats them differently. */
function writeBody(description: Description, schema: Schema): string {
  const inside = listInside(description, schema)
  const [only] = inside
  if (!only) return describeType(description, schema)
  const classes = Object.groupBy(only.fields, ([, field]) => field['x-class'] ?? 'supported')
  if (inside.length > 1 || Object.keys(classes).length === 1) return writeInside(description, inside, [])
  return Object.entries(CLASSES)
    .map(([name, about]) => {
      const fields = classes[name as FieldClass] ?? []
      return `${about}\n\n${fields.map((field) => writeField(description, field, [only.reference ?? ''])).join('\n')}`
    })
    .join('\n\n')
}

/** Variants are a level of their own. */
function writeInside(description: Description, inside: readonly Inside[], above: readonly string[]): string {
  return inside
    .filter(({ reference }) => !above.includes(reference ?? ''))
    .map(({ title, about, reference, fields }) => {
      const around = reference === undefined ? above : [...above, reference]
      const lines = fields.map((field) => writeField(description, field, around)).join('\n')
      return inside.length === 1 ? lines : `- *${title}*${about === undefined ? '' : `: ${about}`}\n${indent(lines)}`
    })
    .join('\n')
}

function writeField(
  description: Description,
  [name, schema, isRequired]: Inside['fields'][number],
  above: readonly string[],
  location?: string,
): string {
  const resolved = resolve(description, schema)
  const facts = [
    describeType(description, schema),
    location,
    isRequired && '**required**',
    resolved.deprecated === true && 'deprecated',
    schema['x-feature'] !== undefined && `requires ${schema['x-feature']}`,
    // A pattern would read as Markdown.
    ...describeLimits(resolved).map((limit) => (limit.startsWith('matches') ? `\`${limit}\`` : limit)),
  ]
  const about = resolved.description ? `: ${resolved.description.replaceAll('\n', ' ')}` : ''
  const nested = writeInside(description, listInside(description, schema), above)
  return `- \`${name}\` (${facts.filter(Boolean).join(', ')})${about}${nested && `\n${indent(nested)}`}`
}

function indent(lines: string): string {
  return lines.replaceAll(/^/gm, '  ')
}
