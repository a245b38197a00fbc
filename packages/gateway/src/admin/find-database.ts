// Finds the database that a command means: the one that it names, or else that of the Hearth on this machine. A question never creates one.

import { join, resolve } from 'node:path'
import { chooseOne, isAlive, isRunning, listInstances, type Instance } from '@hearth/instances'
import { readServerNote } from '../store/embedded/find-server.ts'
import { folderLayout } from '../store/embedded/folder-layout.ts'
import { hasDatabase } from '../store/embedded/has-database.ts'
import { InputError } from './input-error.ts'
import type { Terminal } from './terminal.ts'

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
}

const DEFAULT_FOLDER = './data'

/** `mayCreate` is for commands that begin with an empty database. */
export function findDatabase(terminal: Terminal, { data }: DatabaseChoice, mayCreate = false): FoundDatabase {
  const { DATABASE_URL: given } = terminal.environment
  if (data !== undefined) return { url: `embedded:${findFolder(data, mayCreate)}` }
  if (given) return { url: checkUrl(given, mayCreate) }
  const choice = chooseOne(listPlaces(terminal), (place) => place.isRunning)
  if (choice === undefined) return { url: `embedded:${findFolder(DEFAULT_FOLDER, mayCreate)}` }
  const { chosen, others } = choice
  const { folder, database, gatewayUrl } = chosen
  if (database === undefined) return rejectElsewhere(chosen)
  const note = `Using ${folder}, one of ${others + 1} on this machine. To choose: --data <folder>`
  return { url: `embedded:${database}`, ...(gatewayUrl && { gatewayUrl }), ...(others > 0 && { note }) }
}

interface Place {
  folder: string
  /** Undefined if it is in another PostgreSQL. */
  database: string | undefined
  gatewayUrl?: string
  isRunning: boolean
}

/** The folder where the person is comes first. */
function listPlaces({ environment }: Terminal): Place[] {
  const known = listInstances(environment).filter(({ kind, database }) => kind === 'hearth' && isUsable(database))
  const places = known.map((instance) => toPlace(instance))
  const here = findExisting(DEFAULT_FOLDER)
  return here === undefined || places.some(({ database }) => database === here)
    ? places
    : [{ folder: here, database: here, isRunning: isServed(here) }, ...places]
}

function isUsable(database: string | undefined): boolean {
  return database === undefined || hasDatabase(database)
}

function toPlace(instance: Instance): Place {
  const { folder, database, url } = instance
  return { folder, database, gatewayUrl: url, isRunning: isRunning(instance) }
}

function isServed(folder: string): boolean {
  const note = readServerNote(folderLayout(folder))
  return note !== undefined && isAlive(note.pid)
}

function checkUrl(url: string, mayCreate: boolean): string {
  const [, folder] = /^embedded:(?:\/\/)?(.+)$/s.exec(url) ?? []
  return folder === undefined ? url : `embedded:${findFolder(folder, mayCreate)}`
}

function findFolder(folder: string, mayCreate: boolean): string {
  const found = findExisting(folder) ?? (mayCreate ? folder : undefined)
  if (found !== undefined) return found
  throw new InputError(
    `There is no Hearth database in ${resolve(folder)}. Start Hearth with npm start, name its data folder with --data, or its database with DATABASE_URL`,
  )
}

/** `npm start` keeps the database in a folder of its data folder, and prints only the latter. */
function findExisting(folder: string): string | undefined {
  return [folder, join(folder, 'gateway')].map((path) => resolve(path)).find(hasDatabase)
}

function rejectElsewhere({ gatewayUrl }: Place): never {
  throw new InputError(
    `The Hearth at ${gatewayUrl} keeps its data in another PostgreSQL. Set DATABASE_URL as it was when you started it`,
  )
}
