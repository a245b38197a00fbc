// Finds the database that a command means: the one that it names, or else that of the Hearth on this machine. A question never creates one.

import { basename, join, resolve } from 'node:path'
import {
  chooseOne,
  describeOthers,
  findCheckout,
  isAlive,
  isRunning,
  listInstances,
  type Instance,
  type Candidate,
} from '@hearth/instances'
import { isOurs } from '@hearth/command-line/files/private-folder'
import { readServerNote } from '../store/embedded/find-server.ts'
import { folderLayout, hasDatabase } from '../store/embedded/folder-layout.ts'
import { InputError } from './input-error.ts'
import type { CommandWorld } from '@hearth/command-line/program/commands'

export interface FoundDatabase {
  /** For `openStore`. */
  url: string
  /** Where the gateway of this database answers, if it is known. */
  gatewayUrl?: string
  /** Says which one it is, if there are several. */
  note?: string
}

export interface DatabaseChoice {
  /** The folder of the embedded database, or the data folder of `npm start`. */
  data?: string
  /** Then it has to be clear which one is meant. */
  isChange?: boolean
}

interface World extends Pick<CommandWorld, 'environment'> {
  /** The folder where the person is. */
  here?: string
}

const DEFAULT_FOLDER = 'data'

/** An empty place for a database: where `npm start` would keep it, if a data folder is named. */
export function newDatabase(world: World, { data }: DatabaseChoice): string {
  const { DATABASE_URL: given, HEARTH_DATA: folder } = world.environment
  if (data === undefined && given) return given
  const chosen = data ?? folder
  if (!chosen) throw new InputError('Name an empty data folder with --data, or an empty database with DATABASE_URL')
  return `embedded:${findExisting(chosen) ?? resolve(chosen, basename(chosen) === 'gateway' ? '' : 'gateway')}`
}

/** `mayCreate` is for commands that begin with an empty database. */
export function findDatabase(world: World, choice: DatabaseChoice, mayCreate = false): FoundDatabase {
  const { DATABASE_URL: given, HEARTH_DATA: folder } = world.environment
  if (choice.data !== undefined) return withGateway(`embedded:${findFolder(choice.data, mayCreate)}`, world)
  if (given) return withGateway(checkUrl(given, mayCreate), world)
  if (folder) return withGateway(`embedded:${findFolder(folder, mayCreate)}`, world)
  return findOnMachine(world, choice, mayCreate)
}

/** Of another PostgreSQL, only the gateway knows which one it uses: if there is just one such gateway here, it is this one. */
function withGateway(url: string, { environment }: World): FoundDatabase {
  const isElsewhere = !url.startsWith('embedded:')
  const [instance, ...others] = listInstances(environment).filter(({ kind, database, ...running }) =>
    isElsewhere ? kind !== 'device' && database === undefined && isRunning(running) : url === `embedded:${database}`,
  )
  return { url, ...(instance && others.length === 0 && { gatewayUrl: addressOf(instance) }) }
}

/** That people and devices use. */
function addressOf({ publicUrl, url }: Instance): string {
  return publicUrl ?? url
}

function findOnMachine(world: World, { isChange = false }: DatabaseChoice, mayCreate: boolean): FoundDatabase {
  const { environment, here = process.cwd() } = world
  const checkout = findCheckout(here)
  const choice = chooseOne(listStored(environment, [here, ...(checkout === undefined ? [] : [checkout])]), {
    here,
    checkout,
    isChange,
    reject: (text) => {
      throw new InputError(text)
    },
  })
  if (choice === undefined)
    return { url: `embedded:${findHere(serviceFolder(environment) ?? join(here, DEFAULT_FOLDER), mayCreate)}` }
  const { chosen, note } = choice
  const { database, gatewayUrl } = chosen
  if (database === undefined) return rejectElsewhere(chosen)
  return { url: `embedded:${database}`, ...(gatewayUrl && { gatewayUrl }), ...(note !== undefined && { note }) }
}

interface Stored extends Candidate {
  /** Undefined if it is in another PostgreSQL. */
  database: string | undefined
  gatewayUrl?: string
}

/** A database in a folder where the person is counts even if no Hearth has registered it, but not one that another account left there. */
function listStored(environment: World['environment'], here: readonly string[]): Stored[] {
  const known = listInstances(environment).filter(({ kind, database }) => kind !== 'device' && isUsable(kind, database))
  const stored = known.map((instance) => toStored(instance))
  const found = here.map((folder) => findAt(resolve(folder, DEFAULT_FOLDER))).find((one) => one !== undefined)
  return found === undefined || stored.some(({ database }) => database === found.database) ? stored : [found, ...stored]
}

function findAt(folder: string): Stored | undefined {
  const database = findExisting(folder)
  return database === undefined || !isOurs(database)
    ? undefined
    : { folder, database, isRunning: isServed(database), option: `--data ${database}` }
}

/** A service has an account of its own, and its note alone is no reason to open files of that account. */
function isUsable(kind: Instance['kind'], database: string | undefined): boolean {
  return database === undefined || (hasDatabase(database) && (kind !== 'gateway' || isOurs(database)))
}

function toStored(instance: Instance): Stored {
  const { folder, database } = instance
  return {
    folder,
    database,
    gatewayUrl: addressOf(instance),
    isRunning: isRunning(instance),
    option: `--data ${folder}`,
  }
}

function isServed(folder: string): boolean {
  const note = readServerNote(folderLayout(folder))
  return note !== undefined && isAlive(note.pid)
}

function checkUrl(url: string, mayCreate: boolean): string {
  const [, folder] = /^embedded:(?:\/\/)?(.+)$/s.exec(url) ?? []
  return folder === undefined ? url : `embedded:${findFolder(folder, mayCreate)}`
}

function serviceFolder(environment: World['environment']): string | undefined {
  const services = listInstances(environment).filter(({ kind }) => kind === 'gateway')
  return services.flatMap(({ database }) => database ?? []).find(hasDatabase)
}

function findHere(folder: string, mayCreate: boolean): string {
  const found = findFolder(folder, mayCreate)
  if (!hasDatabase(found) || isOurs(found)) return found
  throw new InputError(`The database in ${found} belongs to another account. If you mean it, name it: --data ${found}`)
}

function findFolder(folder: string, mayCreate: boolean): string {
  const found = findExisting(folder) ?? (mayCreate ? folder : undefined)
  if (found !== undefined) return found
  const others = describeOthers()
  throw new InputError(
    `There is no Hearth database in ${resolve(folder)} that you can read. Start Hearth with npm start, name its data folder with --data, or its database with DATABASE_URL${others === undefined ? '' : `. ${others}`}`,
  )
}

/** `npm start` keeps the database in a folder of its data folder, and prints only the latter. */
function findExisting(folder: string): string | undefined {
  return [folder, join(folder, 'gateway')].map((path) => resolve(path)).find(hasDatabase)
}

function rejectElsewhere({ gatewayUrl }: Stored): never {
  throw new InputError(
    `The Hearth at ${gatewayUrl} keeps its data in another PostgreSQL. Set DATABASE_URL as it was when you started it`,
  )
}
