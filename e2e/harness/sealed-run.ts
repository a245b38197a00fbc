/**
 * Whether clients go through hearth-seal. Web pages can't use it, because the key of whoever runs it is behind it, so tests about pages
 * have nothing to test then.
 */
export const IS_SEALED_RUN = process.env['HEARTH_TEST_SEALED'] === '1'
