// Errors for the person at the terminal, as every program of ours has them.

export { CommandError as DeviceError, describeError, StorageError } from '@hearth/command-line/errors'
