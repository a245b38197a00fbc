/** For a year, browsers don't even try without TLS. Subdomains are left out: they may be something else, and Hearth's cookies ignore them. */
export const HTTPS_ONLY = ['strict-transport-security', 'max-age=31536000'] as const
