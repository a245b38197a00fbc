// Apart from the rules, which bring a long list along.

export const SHORTEST_PASSWORD = 10
export const LONGEST_PASSWORD = 128
