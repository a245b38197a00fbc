import './bad-clients.ts'
import './bad-devices.ts'
