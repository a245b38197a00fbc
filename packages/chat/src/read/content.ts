// Reads the content of a message: a string, or text parts that are joined without a separator.

import { ApiError } from '../errors.ts'
import { asObject, readText, required, wrongType, type Path } from '../json/fields.ts'

export function readContent(value: unknown, path: Path): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((part, index) => readPart(part, `${path}[${index}]`)).join('')
  throw wrongType(path, 'one of a string or array of objects', value)
}

function readPart(part: unknown, path: Path): string {
  const fields = asObject(part, path)
  const type = required(readText(fields, 'type', `${path}.type`), `${path}.type`)
  if (type !== 'text')
    throw new ApiError(
      'unsupported_content_part',
      `Invalid content part: only parts of type 'text' are accepted. This service does not support images, audio or files.`,
      `${path}.type`,
    )
  return required(readText(fields, 'text', `${path}.text`), `${path}.text`)
}
