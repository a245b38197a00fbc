import { IMAGE } from './image.ts'
import type { Machine } from './machine.ts'
import { NEW_USERS } from './new-user.ts'
import { PROCESSORS } from './processors.ts'

/** The first two run in `npm run test:long`, too. */
export const MACHINES: readonly Machine[] = [...NEW_USERS, IMAGE, ...PROCESSORS]
