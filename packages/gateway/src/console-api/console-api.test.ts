// Behavior of the console API over HTTP.

import './contract/sign-in.contract.ts'
import './contract/activity.contract.ts'
import './contract/policy.contract.ts'
import './contract/members.contract.ts'
import './contract/deletion.contract.ts'
import './contract/resources.contract.ts'
import './contract/model-downloads.contract.ts'
import './contract/devices-and-defaults.contract.ts'
import './contract/sealing.contract.ts'
import './contract/usage.contract.ts'
