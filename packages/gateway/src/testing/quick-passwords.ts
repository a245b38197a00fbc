// Hashes passwords with the least work that scrypt can do. No test is about how much it is, and it would be most of what signing in costs.

import { workLess } from '../access/accounts/passwords.ts'

workLess({ N: 2, r: 1, p: 1 })
