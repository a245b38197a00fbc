// Reads the header of a GGUF file: enough to tell a complete model from a damaged, truncated or foreign file before an engine loads it.
//
// Layout, little-endian:  "GGUF" · version u32 · tensor count u64 · field count u64 · fields · tensor infos · padding · tensor data.
// A field is a name, a type and a value; a string is a length u64 and its bytes.

import { present } from '@hearth/command-line/present'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { nameForeignFile } from './foreign-file.ts'
import { FileCutError, FileReader } from './gguf-reader.ts'
import { tensorBytes } from './tensor-bytes.ts'

export interface GgufHeader {
  version: number
  architecture: string
  /** The name given by its authors. */
  name?: string
  /** The context length the model was trained for, in tokens. */
  contextLength?: number
  hasChatTemplate: boolean
  tensors: number
  /** The number of files of a split model; 1 for most. */
  files: number
  /** `model` for most; adapters and projectors have other kinds. */
  kind: string
}

/** A thousand times the fields of a usual model, and thirty times the tensors of the largest. */
const MAX_FIELDS = 65_536
const MAX_TENSORS = 131_072
/** Everything before the weights. The largest vocabularies take about 20 MB. */
const MAX_HEADER_BYTES = 128 * 1024 * 1024
const MAX_NAME_BYTES = 65_535
/** A chat template has up to 100 KB. Longer texts are of no use here. */
const MAX_TEXT_BYTES = 1024 * 1024
const MAGIC = 'GGUF'
const MAX_DEPTH = 4
const MAX_ALIGNMENT = 1024 * 1024
const FIXED_BYTES: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}
const UINT16 = 2
const UINT32 = 4
const TEXT = 8
const LIST = 9
const UINT64 = 10
const BOOLEAN = 7
/** Unsigned and signed 32-bit numbers and booleans. */
const NUMBERS_KEPT: readonly number[] = [4, 5, BOOLEAN]
const MAX_NUMBERS = 4096

/** Texts, numbers and short lists of numbers as they are; for a list of texts, its length. */
export type Field = string | number | readonly number[]

export interface TensorInfo {
  name: string
  bytes: number
}

export interface GgufParts {
  version: number
  fields: ReadonlyMap<string, Field>
  tensors: readonly TensorInfo[]
}

/** Throws a CommandError that says what is wrong with the file, which it calls `name`. */
export function readGgufHeader(path: string, name = path): GgufHeader {
  return describe(readGgufParts(path, name), name)
}

/** The same, as the file has it. */
export function readGgufParts(path: string, name = path): GgufParts {
  const file = open(path)
  try {
    const length = fstatSync(file).size
    rejectForeign(name, file, length)
    return readParts(new FileReader(file, Math.min(length, MAX_HEADER_BYTES)), name, length)
  } catch (error) {
    if (!(error instanceof FileCutError)) throw error
    throw new CommandError(
      `Can't use ${name}: the file is truncated or damaged`,
      'download or copy it again; hearth-device models pull continues where it stopped',
    )
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    const file = openSync(path, 'r')
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const why = isGone ? 'it is not there any more' : describeError(error)
    throw new CommandError(`Can't open the model file ${path}: ${why}`)
  }
  throw new CommandError(`Can't use ${path}: it is not a file`)
}

function rejectForeign(path: string, file: number, length: number): void {
  const start = Buffer.alloc(Math.min(length, 512))
  readSync(file, start, 0, start.length, 0)
  if (start.length < MAGIC.length) throw foreign(path, start)
  checkGgufStart(start, path)
}

/** Throws CommandError if a file that starts with these bytes is no model. Fewer bytes than it takes to tell are accepted. */
export function checkGgufStart(start: Uint8Array, name: string): void {
  const bytes = Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, 512))
  if (bytes.length >= MAGIC.length && !bytes.toString('latin1').startsWith(MAGIC)) throw foreign(name, bytes)
}

function foreign(path: string, start: Buffer): CommandError {
  return new CommandError(
    `Can't use ${path}: it is ${nameForeignFile(start)}, not a GGUF model`,
    'on Hugging Face, look for a repository whose name ends in -GGUF',
  )
}

function readParts(reader: FileReader, path: string, length: number): GgufParts {
  reader.skip(4)
  const version = reader.uint32()
  if (version !== 2 && version !== 3)
    throw new CommandError(`Can't use ${path}: GGUF version ${versionName(version)} is not supported`)
  const tensors = reader.uint64()
  const fieldCount = reader.uint64()
  if (tensors > MAX_TENSORS || fieldCount > MAX_FIELDS) throw new FileCutError()
  const fields = readFields(reader, fieldCount)
  return {
    version,
    fields,
    tensors: readTensors(reader, tensors, numberField(fields, 'general.alignment') ?? 32, length),
  }
}

function versionName(version: number): string {
  return version === 0x02000000 || version === 0x03000000 ? 'for big-endian machines' : String(version)
}

function readFields(reader: FileReader, fieldCount: number): Map<string, Field> {
  const fields = new Map<string, Field>()
  for (let index = 0; index < fieldCount; index += 1) {
    const name = reader.text(MAX_NAME_BYTES)
    const value = readValue(reader, reader.uint32(), 0)
    if (value !== undefined) fields.set(name, value)
  }
  return fields
}

/** Undefined for kinds of values that nobody asks for. */
function readValue(reader: FileReader, type: number, depth: number): Field | undefined {
  if (type === TEXT) return reader.shortText(MAX_TEXT_BYTES)
  if (type === UINT32) return reader.uint32()
  if (type === UINT64) return reader.uint64()
  if (type === LIST) return readValues(reader, depth)
  const bytes = FIXED_BYTES[type]
  if (bytes === undefined) throw new FileCutError()
  if (type === UINT16) return reader.uint16()
  reader.skip(bytes)
  return undefined
}

function readValues(reader: FileReader, depth: number): Field | undefined {
  const type = reader.uint32()
  const count = reader.uint64()
  if (depth >= MAX_DEPTH || count > reader.remaining) throw new FileCutError()
  const bytes = FIXED_BYTES[type]
  if (bytes !== undefined) return readNumbers(reader, type, count, bytes)
  for (let index = 0; index < count; index += 1) {
    if (type === TEXT) reader.skipText()
    else readValue(reader, type, depth + 1)
  }
  return type === TEXT ? count : undefined
}

/** Lists with a number per layer are short; those with one per token are not needed. */
function readNumbers(reader: FileReader, type: number, count: number, bytes: number): readonly number[] | undefined {
  if (count > MAX_NUMBERS || !NUMBERS_KEPT.includes(type)) return reader.skip(bytes * count) as undefined
  return Array.from({ length: count }, () => (type === BOOLEAN ? reader.uint8() : reader.uint32()))
}

function readTensors(reader: FileReader, count: number, alignment: number, length: number): TensorInfo[] {
  if (alignment < 1 || alignment > MAX_ALIGNMENT) throw new FileCutError()
  const tensors: TensorInfo[] = []
  let dataBytes = 0
  for (let index = 0; index < count; index += 1) {
    const name = reader.text(MAX_NAME_BYTES)
    const dimensions = reader.uint32()
    if (dimensions > 8) throw new FileCutError()
    let elements = 1
    for (let dimension = 0; dimension < dimensions; dimension += 1) elements *= reader.uint64()
    const bytes = tensorBytes(reader.uint32(), elements)
    tensors.push({ name, bytes })
    dataBytes = Math.max(dataBytes, reader.uint64() + bytes)
  }
  const dataStart = Math.ceil(reader.position / alignment) * alignment
  if (dataStart + dataBytes > length) throw new FileCutError()
  return tensors
}

function describe({ version, fields, tensors }: GgufParts, path: string): GgufHeader {
  const architecture = textField(fields, 'general.architecture')
  if (architecture === undefined)
    throw new CommandError(`Can't use ${path}: it doesn't say which model architecture it has`)
  return present({
    version,
    architecture,
    name: textField(fields, 'general.name'),
    contextLength: numberField(fields, `${architecture}.context_length`),
    hasChatTemplate: textField(fields, 'tokenizer.chat_template') !== undefined,
    tensors: tensors.length,
    files: numberField(fields, 'split.count') || 1,
    kind: textField(fields, 'general.type') ?? 'model',
  })
}

export function textField(fields: ReadonlyMap<string, Field>, name: string): string | undefined {
  const value = fields.get(name)
  return typeof value === 'string' ? value : undefined
}

export function numberField(fields: ReadonlyMap<string, Field>, name: string): number | undefined {
  const value = fields.get(name)
  return typeof value === 'number' ? value : undefined
}
