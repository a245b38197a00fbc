// Hashes passwords with the least work that scrypt can do. No test is about how much it is, and it would be most of what signing in costs.

import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

const { scrypt } = crypto

crypto.scrypt = (password, salt, length, options, done) => scrypt(password, salt, length, { ...options, N: 2 }, done)
syncBuiltinESMExports()
