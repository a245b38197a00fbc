// The sorts of worlds with several gateways. They differ in what goes wrong.

export type Sort = (typeof SORTS)[number]

export const SORTS = [
  /** Gateways only agree on who schedules what. */
  'peers',
  /** The same, with few gateways that lose everything again and again. */
  'few-peers',
  /** Everything may go wrong. */
  'several',
  /** Only gateways without clients and devices fail. So no job notices: each starts once and ends well. */
  'orderly',
  /** The bus is one server that hands on everything in one order. So new gateways can tell that all before them are dead. */
  'one-server',
  /** Only links of devices are cut. So every offer is known: none is sent twice over a link that is gone, and those that are don't count. */
  'only-devices',
] as const
