// Search for a site that is read from a folder. A page of a file: address may start no worker; there
// the worker's script runs in a hidden frame of the same page, and messages go to and fro by hand.

if (location.protocol === "file:") {
  window.Worker = class {
    onmessage = null;
    #frame = document.createElement("iframe");
    #waiting = [];

    constructor(address) {
      this.#frame.hidden = true;
      this.#frame.title = "search";
      document.body.append(this.#frame);
      const inside = this.#frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => this.onmessage?.({ data }));
      const script = inside.document.createElement("script");
      script.src = new URL(address, location.href);
      script.onload = () => {
        const waiting = this.#waiting;
        this.#waiting = null;
        waiting.forEach((data) => this.postMessage(data));
      };
      inside.document.head.append(script);
    }

    postMessage(data) {
      if (this.#waiting) {
        this.#waiting.push(data);
        return;
      }
      const inside = this.#frame.contentWindow;
      setTimeout(() => inside?.onmessage?.({ data: inside.structuredClone(data) }));
    }

    terminate() {
      this.#frame.remove();
    }
  };
}
