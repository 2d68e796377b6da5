// Why, loaded with the first question (see why.js).

export class LazyWhy {
  constructor(...given) {
    this._given = given;
    this._made = null;
  }

  get open() {
    return Boolean(this._made?.open);
  }

  async show(cell, ask) {
    const { Why } = await import("./why.js");
    this._made ??= new Why(...this._given);
    await this._made.show(cell, ask);
  }

  close(options) {
    this._made?.close(options);
  }

  step(by) {
    this._made?.step(by);
  }

  go(at) {
    this._made?.go(at);
  }
}
