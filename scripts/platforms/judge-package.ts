// Whether the programs of a package can run on the systems that it is for: by what their files say, not by running them.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { join as joinPosix, dirname } from 'node:path/posix'
import { readMachO, type MachO } from './mach-o.ts'
import { readPortableExecutable, type PortableExecutable } from './portable-executable.ts'

export interface Judgement {
  /** With the ending of each kind, the number of programs and libraries. */
  files: number
  minimum: string
  signature: string
  /** What a person has to install first. */
  needs: string[]
  /** With the file that has it. */
  problems: string[]
}

/** Microsoft's C++ runtime. Windows doesn't have it, but many programs install it. */
const RUNTIME = /^(vcruntime|msvcp)140/
const OF_WINDOWS =
  /^(api-ms-win-.*|(advapi|comctl|comdlg|crypt|gdi|kernel|msimg|ole|oleaut|psapi|rpcrt|secur|shell|user|wldap|ws2_)\w*\.dll|(bcrypt|bcryptprimitives|dbghelp|iphlpapi|msvcrt|ntdll|oleacc|pdh|shlwapi|userenv|uxtheme|version|winmm|winspool)\.(dll|drv))$/
const OF_MACOS = /^(\/usr\/lib\/|\/System\/Library\/)/
/** PostgreSQL loads these only for a database or a client that asks for them: languages of procedures, XSLT, and OAuth. Hearth doesn't. */
const NEVER_LOADED = /^(plpython|plperl|pltcl|hstore_pl|jsonb_pl|ltree_pl|bool_pl|pgxml|libpq-oauth)/

interface Found<Program> {
  path: string
  program: Program
}

/** `folder` is an unpacked package for processors that npm calls so. */
export function judgePackage(folder: string, processor: string): Judgement {
  const listed = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = listed
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
  const macs: Found<MachO>[] = []
  const windows: Found<PortableExecutable>[] = []
  for (const path of paths.filter((one) => !NEVER_LOADED.test(basename(one)))) {
    const content = readFileSync(join(folder, path))
    macs.push(...readMachO(content).map((program) => ({ path, program })))
    const program = readPortableExecutable(content)
    if (program !== undefined) windows.push({ path, program })
  }
  if (macs.length + windows.length === 0) throw new Error(`${folder} has no programs for macOS or Windows`)
  return macs.length > 0 ? judgeMac(macs, processor, linked(folder, paths)) : judgeWindows(windows, processor)
}

/** A package of npm has no links; PostgreSQL's list those that its user has to make. */
function linked(folder: string, paths: readonly string[]): ReadonlySet<string> {
  const list = paths.find((path) => basename(path) === 'pg-symlinks.json')
  const links = list === undefined ? [] : (JSON.parse(readFileSync(join(folder, list), 'utf8')) as { target: string }[])
  return new Set([...paths, ...links.map(({ target }) => target)])
}

function judgeMac(all: readonly Found<MachO>[], wanted: string, present: ReadonlySet<string>): Judgement {
  const found = all.filter(({ program }) => program.processor === wanted)
  const files = new Set(all.map(({ path }) => path))
  const others = [...files].filter((path) => !found.some((one) => one.path === path))
  // Apple silicon runs nothing unsigned, and no processor runs what was changed after it was signed.
  const isRunnable = ({ signature }: MachO) => signature === 'intact' || (signature === 'none' && wanted !== 'arm64')
  return {
    files: files.size,
    minimum: `macOS ${newest(found.map(({ program }) => program.minimum ?? '0'))}`,
    signature: [...new Set(found.map(({ program }) => program.signature))].toSorted().join(', '),
    needs: [],
    problems: [
      ...others.map((path) => `${path}: not for ${wanted}`),
      ...found
        .filter(({ program }) => !isRunnable(program))
        .map((one) => `${one.path}: signature ${one.program.signature}`),
      ...found.flatMap((one) => missing(one, present).map((library) => `${one.path}: no ${library}`)),
    ],
  }
}

function missing({ path, program }: Found<MachO>, present: ReadonlySet<string>): string[] {
  const here = (library: string) => library.replace('@loader_path', dirname(path))
  const isThere = (library: string) =>
    OF_MACOS.test(library) ||
    (library.startsWith('@rpath/')
      ? program.searched.some((folder) => present.has(joinPosix(here(folder), library.slice('@rpath/'.length))))
      : present.has(joinPosix(here(library))))
  return program.libraries.filter((library) => !isThere(library))
}

function judgeWindows(found: readonly Found<PortableExecutable>[], wanted: string): Judgement {
  const own = new Set(found.map(({ path }) => basename(path).toLowerCase()))
  const needed = new Set(found.flatMap(({ program }) => program.libraries))
  const isThere = (library: string) => own.has(library) || RUNTIME.test(library) || OF_WINDOWS.test(library)
  const others = found.filter(({ program }) => program.processor !== wanted)
  const signed = found.filter(({ program }) => program.isSigned).length
  return {
    files: found.length,
    minimum: `Windows ${newest(found.map(({ program }) => program.minimum))}`,
    signature: signed === 0 ? 'none' : `${signed} of ${found.length}`,
    needs: [...needed].filter((library) => RUNTIME.test(library) && !own.has(library)).toSorted(),
    problems: [
      ...others.map(({ path }) => `${path}: not for ${wanted}`),
      ...found.flatMap(({ path, program }) =>
        program.libraries.filter((library) => !isThere(library)).map((library) => `${path}: no ${library}`),
      ),
    ],
  }
}

function newest(versions: readonly string[]): string {
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? 'unknown'
}
