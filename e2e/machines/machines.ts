import { IMAGE } from './image.ts'
import type { Machine } from './machine.ts'
import { NEW_USERS } from './new-user.ts'
import { PROCESSORS } from './processors.ts'

/** In the order of `npm run machines`. */
export const MACHINES: readonly Machine[] = [...NEW_USERS, IMAGE, ...PROCESSORS]
