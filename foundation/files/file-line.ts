/** A line of a file, numbered from 1; `problem`: why it cannot be read. */
export type FileLine = { readonly number: number } & ({ readonly text: string } | { readonly problem: string })
