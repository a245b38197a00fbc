import ownPackage from '../package.json' with { type: 'json' }

export const APP_VERSION = ownPackage.version
