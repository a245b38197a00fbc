// Examples and notes at the end of each command's --help.

export const HELP = {
  program: {
    after: `Examples:
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
For the options of a command, run hearth-seal <command> --help.`,
  },
  init: {
    examples: ['init', 'init --join', 'init --json', ['init --new', 'if the seal is lost or stolen']],
    after: `There is one seal per organization. Its private half never leaves this machine: keep a copy of seal.json in a safe
place. Without it, nobody can approve or revoke devices, and everyone has to be told a new seal.
With --join, you get a key of your own. Whoever has the seal approves it, and then you can approve devices too.`,
  },
  approve: {
    after: `Examples:
  Go through all devices that are online and not approved yet:
    $ hearth-seal approve

  Approve one device, by its name or ID:
    $ hearth-seal approve studio

  Let somebody else approve devices too, with the key that hearth-seal init --join showed them:
    $ hearth-seal approve ha-... --name Ann

Compare each fingerprint with hearth-device status on that machine, not with the console: the gateway could show you
another key. With --yes, nothing is asked: use it only after you have compared.`,
  },
  list: {
    examples: ['list', 'list --json'],
    after: `Only approved devices can read sealed requests. "new key" means that a device has another key than the one you approved.`,
  },
  revoke: {
    examples: ['revoke studio', 'revoke ha-... --yes', ['revoke 3fa2c1d09b12...', 'a program, by its whole hash']],
  },
  app: {
    after: `Examples:
  See what the gateway hands out, and whether the seal names it:
    $ hearth-seal app

  In a checkout of the source that you got elsewhere, after npm ci: compute the hash, compare it with what the gateway hands
  out, and let devices and clients install it:
    $ hearth-seal app .

  The same with an archive, or with a hash that somebody you trust has computed:
    $ hearth-seal app app.tgz
    $ hearth-seal app 3fa2c1d09b12...

A device that has pinned the seal (hearth-device seal) installs nothing that isn't named. To take a name back, use
hearth-seal revoke with the hash.`,
  },
  proxy: {
    examples: [
      'proxy --gateway https://hearth.example.com --seal hs-...',
      'proxy --port 9000',
      'HEARTH_URL=https://hearth.example.com HEARTH_SEAL=hs-... hearth-seal proxy',
    ],
    after: `Clients use the base URL that it prints and, as their API key, the token that it prints: then the gateway gets
HEARTH_API_KEY or --key, which stays here. Or they send an API key of their own. Other accounts of this machine can reach
the port, and get nothing without one of the two.
Chat completions are sealed before they leave this machine. Other requests are passed on without a body.
Only programs on this machine can reach it, and web pages can't use it.`,
  },
} as const
