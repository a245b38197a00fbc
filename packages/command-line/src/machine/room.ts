// What a first start takes, as measured on Linux x64. Less than this can't work; a model of one's own may need much more.

/** The database when it is new, and the log that it writes ahead. */
export const DATABASE_ROOM = 60e6
/** What the log of a running database takes from time to time. */
export const LEAST_ROOM = 16e6
/** The starter model (98 MB), and what a download leaves free. */
export const STARTER_ROOM = 190e6

/** The database, a gateway and what starts them: 430 MB when they have just started, of which some can be swapped out. */
export const GATEWAY_MEMORY = 350e6
/** The device app, and the starter model at its smallest. */
export const DEVICE_MEMORY = 250e6
