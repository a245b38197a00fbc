import './devices.ts'
import './relay.ts'
