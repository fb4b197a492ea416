/** Apart from the command, so that a wrong word does not load the models. */
export const modelsUsage = `npm run models -- pull MANIFEST    installs the model that a manifest describes (a file or an http address); goes on with what an interrupted pull has left
npm run models -- list             what is installed in MODELS_DIR, and what runs
npm run models -- verify [NAME]    compares every file with its sha256, and ends with 1 when one differs
npm run models -- evaluate FILE    what the pipeline makes of labelled texts (.ndjson or .csv: text, lang, domain, sentiment)`
