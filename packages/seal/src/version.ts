import { versionOf } from '@hearth/command-line/version'
import ownPackage from '../package.json' with { type: 'json' }

export const VERSION = versionOf(ownPackage)
